package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the author of a backend types commands: outside of the repository, with Berth, Maven and a
 * JDK, a home of their own, and a local repository that has nothing of Berth.
 */
final class AuthorTerminal implements AutoCloseable {
  /** Maven brings plug-ins from the network the first time. */
  private static final Duration BUILD = Duration.ofMinutes(10);

  /** Where the fake of the page listens, which here must not meet another one. */
  private static final String PORT_OF_THE_PAGE = "7171";

  private final Path base;
  private final TestHome home;
  private final String port;

  private AuthorTerminal(Path base) throws IOException {
    this.base = base;
    this.home = TestHome.in(base);
    this.port = freePort();
  }

  static AuthorTerminal open() throws IOException {
    // The tests' own temporary folder lies inside of the repository.
    Path base = Files.createTempDirectory(Path.of("/tmp"), "berth-author");
    AuthorTerminal terminal = new AuthorTerminal(base);
    terminal.folder("bin");
    Path repository = terminal.folder("maven-repository");
    String known = System.getProperty("berth.local.repository", "");
    if (!known.isEmpty()) {
      KnownArtifacts.bring(Path.of(known), repository);
    }
    terminal.tool("berth", Distribution.command());
    terminal.tool(
        "java", List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    terminal.tool(
        "mvn", List.of(onPath("mvn").toString(), "-B", "-ntp", "-Dmaven.repo.local=" + repository));
    return terminal;
  }

  private static String freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(free.getLocalPort());
    }
  }

  /** A command with arguments of its own before those that are typed. */
  private void tool(String name, List<String> command) throws IOException {
    String words =
        command.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Path script = base.resolve("bin").resolve(name);
    Files.writeString(script, "#!/bin/sh\nexec " + words + " \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static Path onPath(String name) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /** Makes a folder. */
  Path folder(String name) throws IOException {
    return Files.createDirectory(base.resolve(name));
  }

  /** The port at which the fake of the page listens here. */
  String port() {
    return port;
  }

  /** What the page calls the user's home is the test's, and so is the port. */
  String adapted(String text) {
    return text.replace("~/.berth", "\"$BERTH_HOME\"").replace(PORT_OF_THE_PAGE, port);
  }

  /** Types commands, and waits for their end. */
  FinishedCommand type(String script, Path folder) {
    return online(start(script, folder).await(BUILD));
  }

  /** Types commands in a terminal of their own. */
  RunningCommand start(String script, Path folder) {
    Map<String, String> variables =
        Map.of(
            "PATH",
            base.resolve("bin") + ":" + System.getenv("PATH"),
            "BERTH_HOME",
            home.folder().toString(),
            "MAVEN_OPTS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    return RunningCommand.start(
        List.of("sh", "-e", "-c", adapted(script)), variables, folder, home.scratch());
  }

  /** The same, where Maven could reach the network, or had no need to. */
  private static FinishedCommand online(FinishedCommand finished) {
    boolean unreachable =
        finished.exitCode() != 0
            && finished.out().contains("Could not transfer artifact")
            && !finished.out().contains("dev.berth:");
    assumeFalse(unreachable, "Maven cannot reach the repository that its plug-ins come from");
    return finished;
  }

  /** Ends the server, looks that no process is left, and deletes everything. */
  @Override
  public void close() throws IOException {
    home.close();
    try (Stream<Path> files = Files.walk(base)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
