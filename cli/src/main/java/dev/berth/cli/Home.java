package dev.berth.cli;

import java.nio.file.Path;

/** The folder of the user's Berth: {@code $BERTH_HOME}, or {@code ~/.berth}. */
record Home(Path folder) {
  static Home find() {
    String named = System.getenv("BERTH_HOME");
    return new Home(
        named == null || named.isBlank()
            ? Path.of(System.getProperty("user.home"), ".berth")
            : Path.of(named).toAbsolutePath());
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
