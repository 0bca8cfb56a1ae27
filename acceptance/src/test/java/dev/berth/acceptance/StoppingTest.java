package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Stopping a run, from another command and with Ctrl-C. */
class StoppingTest {
  private static final String STUBBORN =
      """
      trap '' TERM
      echo ready
      while :; do sleep 0.2; done
      """;

  private static TestHome home;

  @BeforeAll
  static void open() {
    home = TestHome.fresh();
  }

  @AfterAll
  static void close() {
    home.close();
  }

  @Test
  void aJobThatIgnoresTermIsKilledAfterItsStopDuration() {
    RunningCommand logs = startReady("stubborn", "stop_duration: 2s", STUBBORN);
    home.berth("stop", "stubborn").expect(0);
    logs.await().expect(0);
    assertEnd("stubborn", "stopped_by_user");
  }

  @Test
  void abortingWaitsForNobody() {
    RunningCommand logs = startReady("aborted", "stop_duration: 1h", STUBBORN);
    home.berth("stop", "-x", "aborted").expect(0);
    logs.await().expect(0);
    assertEnd("aborted", "aborted_by_user");
  }

  @Test
  void nothingOfAStoppedJobIsLeft() throws IOException {
    Path pids = home.scratch().resolve("pids");
    // In sessions of their own, below parents that end at once, and a plain child.
    home.file(
        "family.sh",
        """
        (setsid sh -c 'trap "" TERM HUP; echo "$$" >>"$0"; while :; do sleep 0.2; done' "$1" &)
        (setsid setsid -f sh -c 'trap "" TERM; echo "$$" >>"$0"; exec sleep 1000' "$1" &)
        sh -c 'echo "$$" >>"$0"; sleep 1000' "$1" &
        while [ "$(wc -l <"$1")" -lt 3 ]; do sleep 0.1; done
        echo ready
        wait
        """);
    Files.createFile(pids);
    String commands = "sh '" + home.scratch().resolve("family.sh") + "' '" + pids + "'";
    RunningCommand logs = startReady("family", "stop_duration: 1s", commands);
    List<Long> members = Files.readAllLines(pids).stream().map(Long::parseLong).toList();
    assertThat(members).hasSize(3).allMatch(ProcessTable::isAlive);

    home.berth("stop", "family").expect(0);
    logs.await().expect(0);
    assertEnd("family", "stopped_by_user");
    // A run that is said to have ended has nothing left: there is nothing to wait for.
    assertThat(members).noneMatch(ProcessTable::isAlive);
    String attempt = home.berth("show", "family").json().at("/attempts/0/id").asString();
    // Its runner told the end last, and follows at once.
    Await.until("the end of the runner", () -> ProcessTable.mentioning(attempt).isEmpty());
  }

  @Test
  void controlCStopsTheRun() {
    Path file =
        home.task(
            "polite",
            "stop_duration: 1h",
            """
            trap 'echo stopping; exit 0' TERM
            echo ready
            while :; do sleep 0.2 & wait $!; done
            """);
    RunningCommand apply =
        home.startAtTheTerminal("apply", "-f", file.toString(), "-y").awaitOut("ready\n");
    ProcessTable.signal("INT", apply.process().pid());
    FinishedCommand finished = apply.await().expect(1);
    assertThat(finished.out()).isEqualTo("ready\nstopping\n");
    assertThat(finished.err())
        .contains("berth: stopping polite (Ctrl-C again kills it)")
        .contains("polite terminated: stopped by the user");
    assertEnd("polite", "stopped_by_user");
  }

  @Test
  void aSecondControlCKillsIt() {
    Path file = home.task("impatient", "stop_duration: 1h", STUBBORN);
    RunningCommand apply =
        home.startAtTheTerminal("apply", "-f", file.toString(), "-y").awaitOut("ready\n");
    ProcessTable.signal("INT", apply.process().pid());
    Await.until(
        "the run is terminating",
        () -> home.run("impatient").get("status").asString().equals("terminating"));
    assertThat(apply.process().isAlive()).isTrue();
    ProcessTable.signal("INT", apply.process().pid());
    assertThat(apply.await().expect(1).err()).contains("berth: killing impatient");
    assertEnd("impatient", "aborted_by_user");
  }

  @Test
  void stoppingWhatHasEndedChangesNothing() {
    home.submit(home.task("over", "", "exit 2"));
    home.awaitEnd("over");
    assertThat(home.berth("stop", "over").expect(0).out())
        .isEqualTo("over has already ended (failed)\n");
    assertThat(home.run("over").get("exit_code").asInt()).isEqualTo(2);
  }

  /** Submits a task and follows it until it says that it is ready. */
  private static RunningCommand startReady(String name, String fields, String commands) {
    home.submit(home.task(name, fields, commands));
    return home.start("logs", "-f", name).awaitOut("ready\n");
  }

  private static void assertEnd(String name, String reason) {
    JsonNode run = home.run(name);
    assertThat(run.get("status").asString()).isEqualTo("terminated");
    assertThat(run.get("reason").asString()).isEqualTo(reason);
    assertThat(run.get("exit_code").isNull()).isTrue();
  }
}
