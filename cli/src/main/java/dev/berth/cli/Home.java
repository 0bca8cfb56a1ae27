package dev.berth.cli;

import java.nio.file.Path;
import java.util.Map;

/** The folder of the user's Berth: {@code $BERTH_HOME}, or {@code ~/.berth}. */
record Home(Path folder) {
  static Home find() {
    return find(System.getenv());
  }

  /** The same, with variables that are passed in. */
  static Home find(Map<String, String> environment) {
    String named = environment.getOrDefault("BERTH_HOME", "");
    return new Home(
        named.isBlank() ? ofUser(environment).resolve(".berth") : Path.of(named).toAbsolutePath());
  }

  /** The home folder of the user, which is what {@code ~} stands for. */
  static Path ofUser() {
    return ofUser(System.getenv());
  }

  /** {@code $HOME}, as for other programs; where it is not set, what the system says. */
  private static Path ofUser(Map<String, String> environment) {
    String named = environment.getOrDefault("HOME", "");
    return Path.of(named.isBlank() ? System.getProperty("user.home") : named).toAbsolutePath();
  }

  Path embedded() {
    return folder.resolve("embedded.json");
  }

  Path plugins() {
    return folder.resolve("plugins");
  }

  Path token() {
    return folder.resolve("token");
  }

  Path client() {
    return folder.resolve("client.json");
  }

  Path serverLog() {
    return folder.resolve("server").resolve("server.log");
  }
}
