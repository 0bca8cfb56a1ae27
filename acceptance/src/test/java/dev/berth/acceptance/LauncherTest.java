package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code ./berth}, as people type it. */
class LauncherTest {
  private static final Path JDKS = Path.of("/usr/lib/jvm");

  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void answersForItself() {
    assertThat(launch("--version").expect(0).out()).matches("berth \\d+\\.\\d+\\.\\d+\\S*\n");
    assertThat(launch("--help").expect(0).out()).contains("apply").contains("validate");
    assertThat(launch("apply", "--help").expect(0).out()).contains("--detach");
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void anUnknownCommandIsAMistakeOfUse() {
    FinishedCommand finished = launch("aply").expect(64);
    assertThat(finished.out()).isEmpty();
    assertThat(finished.err()).contains("aply").contains("apply").contains("--help");
  }

  @Test
  void aWrongFileIsShownWithLineAndColumn() {
    home.file("bad.yml", "type: task\ncommands:\n  - a\nnodes: many\n");
    FinishedCommand finished = launch("validate", "-f", "bad.yml").expect(65);
    assertThat(finished.out()).startsWith("bad.yml:4:8: nodes: ");
  }

  @Test
  void passesTheJobsExitCodeOn() {
    launch("apply", "-y", "-f", Distribution.example("failing").toString()).expect(3);
  }

  @Test
  void findsTheRightJdkWhateverJavaHomeSays() throws IOException {
    home.set("JAVA_HOME", "/nonexistent");
    launch("--version").expect(0);
    Optional<Path> older = olderJdk();
    assumeTrue(older.isPresent(), "there is no JDK before 25 in " + JDKS);
    home.set("JAVA_HOME", older.orElseThrow().toString());
    launch("--version").expect(0);
  }

  private static Optional<Path> olderJdk() throws IOException {
    if (!Files.isDirectory(JDKS)) {
      return Optional.empty();
    }
    try (Stream<Path> jdks = Files.list(JDKS)) {
      return jdks.filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")))
          .filter(jdk -> jdk.getFileName().toString().matches(".*(-17|-21|1\\.17).*"))
          .sorted()
          .findFirst();
    }
  }

  @Test
  void worksThroughLinksAndFromAnywhere() throws IOException {
    Path links = Files.createDirectory(home.scratch().resolve("links of mine"));
    Path direct = Files.createSymbolicLink(links.resolve("berth"), Distribution.launcher());
    Path relative = Files.createSymbolicLink(links.resolve("again"), Path.of("berth"));
    for (Path link : List.of(direct, relative)) {
      assertThat(
              home.startProgram(List.of(link.toString(), "--version"), links)
                  .await()
                  .expect(0)
                  .out())
          .startsWith("berth ");
    }
    home.file("here.yml", "type: task\ncommands: [a]\n");
    assertThat(launch("validate", "-f", "here.yml").expect(0).out())
        .isEqualTo("here.yml: valid task\n");
  }

  /** As cron, systemd and plain containers start it. */
  @Test
  void namesThatAreNotAsciiNeedNoLocale() {
    home.file("grün.yml", "type: task\ncommands: [a]\n");
    home.set("LC_ALL", "").set("LC_CTYPE", "").set("LANG", "");
    assertThat(launch("validate", "-f", "grün.yml").expect(0).out())
        .isEqualTo("grün.yml: valid task\n");
    home.set("LC_ALL", "POSIX");
    launch("validate", "-f", "grün.yml").expect(0);
  }

  @Test
  void becomesTheServerSoThatSignalsReachIt() {
    RunningCommand server =
        home.startProgram(
            List.of(Distribution.launcher().toString(), "server", "--port", "0"), home.scratch());
    server.awaitOut("berth: listening on http://127.0.0.1:");
    assertThat(server.process().info().command().orElse("")).endsWith("/bin/java");
    ProcessTable.signal("TERM", server.process().pid());
    // 128 and the number of TERM.
    server.await().expect(143);
    home.awaitNothingLeft();
  }

  @Test
  void commandsThatStartTogetherShareOneServer() {
    List<RunningCommand> commands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      commands.add(
          home.startProgram(List.of(Distribution.launcher().toString(), "ps"), home.scratch()));
    }
    List<FinishedCommand> finished =
        commands.stream().map(command -> command.await().expect(0)).toList();
    assertThat(finished)
        .filteredOn(command -> command.err().contains("starting a server in the background"))
        .hasSize(1);
    assertThat(home.processes())
        .filteredOn(process -> process.command().contains("--embedded"))
        .extracting(ProcessTable.Entry::pid)
        .containsExactly(home.serverPid());
  }

  private FinishedCommand launch(String... arguments) {
    List<String> command = new ArrayList<>(List.of(Distribution.launcher().toString()));
    command.addAll(List.of(arguments));
    return home.startProgram(command, home.scratch()).await();
  }
}
