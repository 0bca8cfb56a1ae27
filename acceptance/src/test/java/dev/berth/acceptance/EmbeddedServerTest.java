package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.SqliteLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server in the background: start, reuse, end, and whatever goes wrong with it. */
class EmbeddedServerTest {
  @Test
  void theSecondCommandUsesTheServerOfTheFirst() {
    try (TestHome home = TestHome.fresh()) {
      assertThat(home.berth("ps").expect(0).err()).contains("starting a server in the background");
      long pid = home.serverPid();
      assertThat(home.berth("ps").expect(0).err()).isEmpty();
      assertThat(home.serverPid()).isEqualTo(pid);
    }
  }

  @Test
  void anAttachedCommandOutlivesItsServer() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      Path first = home.scratch().resolve("first gate");
      Path second = home.scratch().resolve("second gate");
      Path file =
          home.task(
              "survivor",
              "",
              String.join(
                  "\n",
                  "echo before",
                  untilThere(first),
                  "for i in 1 2 3; do echo \"between $i\"; done",
                  untilThere(second),
                  "printf after",
                  "exit 5"));
      RunningCommand apply = home.start("apply", "-f", file.toString(), "-y");
      apply.awaitOut("before\n");
      home.killServer();
      Files.createFile(first);
      apply.awaitOut("between 3\n");
      home.killServer();
      Files.createFile(second);
      FinishedCommand finished = apply.await().expect(5);
      assertThat(finished.out()).isEqualTo("before\nbetween 1\nbetween 2\nbetween 3\nafter");
      assertThat(finished.err().split("starting a server in the background", -1)).hasSize(4);
      assertThat(home.run("survivor").get("exit_code").asInt()).isEqualTo(5);
    }
  }

  @Test
  void aJobOutlivesAServerThatIsToldToEnd() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      Path gate = home.scratch().resolve("gate");
      home.submit(home.task("patient", "", "echo on\n" + untilThere(gate) + "\nexit 6"));
      home.awaitRunning("patient");
      long pid = home.serverPid();
      ProcessTable.signal("TERM", pid);
      Await.until("the end of the server", () -> !ProcessTable.isAlive(pid));
      assertThat(home.folder().resolve("embedded.json")).doesNotExist();
      assertThat(home.run("patient").get("status").asString()).isEqualTo("running");
      Files.createFile(gate);
      assertThat(home.awaitEnd("patient").get("exit_code").asInt()).isEqualTo(6);
    }
  }

  @Test
  void anIdleServerEndsAndTakesItsFileWithIt() {
    try (TestHome home = TestHome.fresh()) {
      // Not started by a command, which on a busy machine comes when it sleeps already.
      startSleepy(home).await().expect(0);
      assertThat(home.folder().resolve("embedded.json")).doesNotExist();
      home.awaitNothingLeft();
    }
  }

  @Test
  void aServerWithARunIsNotIdle() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      Path gate = home.scratch().resolve("gate");
      // From when the gate opens, the job outlives the idle time twice before it looks whether its
      // server is there.
      Path file = home.folder().resolve("embedded.json");
      String commands = untilThere(gate) + "\nsleep 3\ntest -e '" + file + "'";
      home.submit(home.task("busy", "", commands));
      home.killServer();
      RunningCommand server = startSleepy(home);
      Await.until("the file of the server", () -> isOf(server, home), server::err);
      Files.createFile(gate);
      server.await().expect(0);
      assertThat(file).doesNotExist();
      assertThat(home.run("busy").get("status").asString()).isEqualTo("done");
    }
  }

  /** Starts a server that goes to sleep after a second without anything to do. */
  private static RunningCommand startSleepy(TestHome home) {
    home.set("BERTH_EMBEDDED_IDLE_SECONDS", "1");
    RunningCommand server = home.startProgram(Distribution.server(home.scratch()), home.scratch());
    home.set("BERTH_EMBEDDED_IDLE_SECONDS", "900");
    return server;
  }

  private static boolean isOf(RunningCommand server, TestHome home) {
    long pid = server.process().pid();
    return home.embedded().filter(at -> at.get("pid").asLong() == pid).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dead", "foreign", "torn"})
  void aStaleFileIsReplaced(String kind) throws Exception {
    try (TestHome home = TestHome.fresh()) {
      Files.createDirectories(home.folder());
      long stale =
          switch (kind) {
            case "dead" -> deadPid();
            // The number went to somebody else, who must not notice anything: here it is us.
            default -> ProcessHandle.current().pid();
          };
      String text = "{\"url\":\"http://127.0.0.1:9\",\"pid\":" + stale + "}\n";
      Files.writeString(
          home.folder().resolve("embedded.json"),
          kind.equals("torn") ? text.substring(0, 20) : text);
      Files.writeString(home.folder().resolve("token"), "0123456789abcdef\n");
      home.berth("ps").expect(0);
      assertThat(home.serverPid()).isNotEqualTo(stale);
      assertThat(ProcessTable.isAlive(home.serverPid())).isTrue();
    }
  }

  private static long deadPid() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  @Test
  void aWrongTokenIsRefused() {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      home.set("BERTH_URL", home.embedded().orElseThrow().get("url").asString());
      home.set("BERTH_TOKEN", "wrong");
      assertThat(home.berth("ps").expect(77).err()).contains("the token is missing or wrong");
    }
  }

  @Test
  void theServerInTheBackgroundIsStopped() {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      long pid = home.serverPid();
      assertThat(home.berth("server", "stop").expect(0).out()).contains("(pid " + pid + ")");
      assertThat(ProcessTable.isAlive(pid)).isFalse();
      assertThat(home.berth("server", "stop").expect(0).out())
          .isEqualTo("no server is running in the background\n");
      home.set("BERTH_URL", "http://127.0.0.1:9").set("BERTH_TOKEN", "any");
      assertThat(home.berth("server", "stop").expect(64).err())
          .contains("http://127.0.0.1:9, which runs on its own");
    }
  }

  @Test
  void aTokenIsCheckedWhenItIsSet() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      String url = home.embedded().orElseThrow().get("url").asString();
      Path file = home.folder().resolve("client.json");
      assertThat(home.berth("config", "--url", url, "--token", "c4nary").expect(77).err())
          .contains("does not accept this token; not saved", "history of your shell");
      assertThat(file).doesNotExist();
      RunningCommand config =
          home.startWithInput(
              home.folder().resolve("token"), "config", "--url", url, "--token", "-");
      FinishedCommand set = config.await().expect(0);
      assertThat(set.err()).isEmpty();
      assertThat(set.out()).contains("url: " + url).doesNotContain("pid:");
      assertThat(Files.readString(file))
          .contains(Files.readString(home.folder().resolve("token")).strip());
      assertThat(
              home.berth("config", "--url", "http://127.0.0.1:9", "--token", "x").expect(0).err())
          .contains("the token is saved, but could not be checked");
    }
  }

  @Test
  void aTokenIsNotKeptForAnotherServer() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      home.berth("config", "--url", "http://127.0.0.1:9", "--token", "c4nary").expect(0);
      assertThat(home.berth("config", "--url", "http://127.0.0.1:9/").expect(0).err()).isEmpty();
      assertThat(Files.readString(home.folder().resolve("client.json"))).contains("c4nary");
      assertThat(home.berth("config", "--url", "http://127.0.0.1:10").expect(0).err())
          .contains("the token was for http://127.0.0.1:9/ and is forgotten");
      assertThat(Files.readString(home.folder().resolve("client.json"))).doesNotContain("c4nary");
      assertThat(home.berth("ps").expect(64).err())
          .contains("no token is configured for the server");
    }
  }

  @Test
  void aConfiguredServerThatDoesNotAnswerIsNamed() {
    try (TestHome home = TestHome.fresh()) {
      home.set("BERTH_URL", "http://127.0.0.1:9").set("BERTH_TOKEN", "any");
      assertThat(home.berth("ps").expect(69).err())
          .contains("no server answers at http://127.0.0.1:9");
      assertThat(home.folder().resolve("embedded.json")).doesNotExist();
    }
  }

  @Test
  void aServerWaitsForTheEndOfTheOneBefore() {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      home.killServer();
      RunningCommand command;
      // What a server that ends holds last.
      try (SqliteLedger _ = SqliteLedger.open(home.folder().resolve("server/berth.db"))) {
        command = home.start("ps");
        Path log = home.folder().resolve("server/server.log");
        Await.until(
            "the server waits",
            () -> text(log).contains("waiting for the previous server to stop"));
      }
      command.await().expect(0);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aHomeThatIsInUseIsRefusedWithItsHolder() {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      long pid = home.serverPid();
      assertThat(home.berth("server", "--port", "0").expect(1).err())
          .contains("is in use by process " + pid + ", a server that commands started")
          .contains("Stop it first with: berth server stop");
      home.berth("ps").expect(0);
      assertThat(home.serverPid()).isEqualTo(pid);
    }
  }

  @Test
  void aServerThatSomebodyStartedIsNamedToCommandsThatDoNotKnowIt() throws Exception {
    try (TestHome home = TestHome.fresh()) {
      RunningCommand server = home.start("server", "--port", "0").awaitOut("listening on");
      Path token = home.folder().resolve("token");
      assertThat(home.berth("ps").expect(69).err())
          .contains("is in use by process")
          .contains("tell commands its address: berth config --url URL --token - < " + token);
      String said = server.out();
      String url = said.substring(said.indexOf("http://"), said.indexOf(';'));
      home.startWithInput(token, "config", "--url", url, "--token", "-").await().expect(0);
      home.berth("ps").expect(0);
      server.process().destroy();
      server.await().expect(143);
    }
  }

  /** A shell command that waits for a file. */
  private static String untilThere(Path file) {
    return "while [ ! -e '" + file + "' ]; do sleep 0.1; done";
  }
}
