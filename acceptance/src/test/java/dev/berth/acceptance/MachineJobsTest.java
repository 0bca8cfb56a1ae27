package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that Berth runs itself on machines of a cloud that only makes machines. */
@Timeout(900)
class MachineJobsTest {
  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
    home.file(
        "cloud.yml",
        """
        type: sim
        gives: machines
        jobs: berth
        scenario: {boot_time: 100ms, delete_time: 100ms}
        """);
    home.berth("backend", "add", "cloud", "-f", "cloud.yml").expect(0);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private String events() {
    return home.berth("event").expect(0).out();
  }

  @Test
  void aTaskRunsOnAMachineThatIsUsedAgainAndThenDeleted() {
    home.task("first", "backends: [cloud]\nidle_duration: 10m", "echo at $HOME; exit 3");
    assertThat(home.berth("plan", "-f", "first.berth.yml").expect(0).out())
        .contains("cloud", "sim-cpu-2", "$0.08/h");
    FinishedCommand first = home.berth("apply", "-y", "-f", "first.berth.yml").expect(3);
    assertThat(first.out()).contains("at ", "/machines/i-");
    home.task("second", "backends: [cloud]\nidle_duration: 1s", "echo at $HOME");
    FinishedCommand second = home.berth("apply", "-y", "-f", "second.berth.yml").expect(0);
    assertThat(second.out()).contains("/machines/i-");
    String at =
        first.out().lines().filter(line -> line.startsWith("at ")).findFirst().orElseThrow();
    assertThat(second.out()).as("on the same machine").contains(at);
    home.berth("fleet", "delete", "first", "-y").expect(0);
    Await.until("the end of the machine", () -> events().contains("instance.gone"));
    assertThat(events()).contains("instance.booted", "instance.ready");
    // Their machine is gone, and their output is not.
    assertThat(home.berth("logs", "first").expect(0).out()).contains(at);
    assertThat(home.berth("logs", "second").expect(0).out()).contains(at);
  }

  @Test
  void aJobOutlivesTheServerAndEndsWithItsMachine() {
    home.task("long", "backends: [cloud]", "echo begun; sleep 1000");
    home.submit(home.scratch().resolve("long.berth.yml"));
    home.awaitRunning("long");
    home.killServer();
    assertThat(home.berth("exec", "long", "--", "echo", "inside").expect(0).out())
        .isEqualTo("inside\n");
    assertThat(home.berth("logs", "long").expect(0).out()).isEqualTo("begun\n");
    home.berth("stop", "-x", "long").expect(0);
    assertThat(home.awaitEnd("long").get("reason").asString()).isEqualTo("aborted_by_user");
  }

  @Test
  void whatNeedsAContainerIsNotPlacedWhereJobsAreProcesses() {
    home.task("boxed", "backends: [cloud]\nimage: ubuntu:24.04", "true");
    assertThat(home.berth("explain", "-f", "boxed.berth.yml").expect(0).out())
        .contains("Nothing matches");
  }
}
