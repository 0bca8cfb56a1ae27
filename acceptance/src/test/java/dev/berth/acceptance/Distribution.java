package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What the build made for users, and how it is started. */
final class Distribution {
  private static final Path HOME = root().resolve("distribution/target/berth");

  private Distribution() {}

  static Path root() {
    return Path.of(
        Objects.requireNonNull(
            System.getProperty("berth.root"), "the build passes the repository as berth.root"));
  }

  static Path home() {
    return HOME;
  }

  static Path launcher() {
    return root().resolve("berth");
  }

  static Path example(String name) {
    return root().resolve("examples").resolve(name + ".berth.yml");
  }

  /**
   * The command that the launcher ends in. Most tests use it directly: the launcher would build
   * when somebody changes a source while the tests run.
   */
  static List<String> command(String... arguments) {
    List<String> command = java(read(HOME.resolve("flags")), cache("berth.aot"));
    command.add("-Dberth.distribution=" + HOME);
    command.add("-Dberth.server.aot=" + cache("server.aot"));
    return withArguments(command, arguments);
  }

  /**
   * The server that commands start in the background. SQLite's unpacked library goes to a folder of
   * the test: a server that is killed leaves it behind.
   */
  static List<String> server(Path temporary) {
    List<String> command = java(read(HOME.resolve("server-flags")), cache("server.aot"));
    command.add("-Dorg.sqlite.tmpdir=" + temporary);
    return withArguments(command, "server", "--embedded");
  }

  /** A server as a team runs it, on any free port. */
  static List<String> teamServer(Path temporary) {
    return teamServer(temporary, "");
  }

  /**
   * The same, with classes that come before its own.
   *
   * @param first the beginning of the class path
   */
  static List<String> teamServer(Path temporary, String first) {
    List<String> command =
        java(
            read(HOME.resolve("server-flags")),
            // Classes that come from the cache would come before those that shall be first.
            cache(first.isEmpty() ? "server.aot" : "no.aot"));
    command.add("-Dorg.sqlite.tmpdir=" + temporary);
    withArguments(command, "server", "--port", "0");
    int path = command.indexOf("-cp") + 1;
    command.set(path, first + command.get(path));
    return command;
  }

  static String classPath() {
    return read(HOME.resolve("classpath"))
        .lines()
        .map(jar -> HOME.resolve("lib").resolve(jar).toString())
        .collect(Collectors.joining(":"));
  }

  /** Where the AOT cache of a name stands, if one could be made. */
  static Path cache(String name) {
    return HOME.resolve("cache").resolve(read(HOME.resolve("id")).strip()).resolve(name);
  }

  private static List<String> java(String flags, Path cache) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags.strip().split(" ")));
    if (Files.exists(cache)) {
      command.addAll(
          List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=auto", "-Xlog:disable", "-Xlog:all=off"));
    }
    return command;
  }

  private static List<String> withArguments(List<String> command, String... arguments) {
    command.addAll(List.of("-cp", classPath(), "dev.berth.cli.Berth"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Our environment without what would steer Berth. */
  static void clean(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("BERTH_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    // No test fetches a catalog from the network.
    environment.put("BERTH_CATALOG", "off");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("the distribution is not built; run mvn verify", e);
    }
  }
}
