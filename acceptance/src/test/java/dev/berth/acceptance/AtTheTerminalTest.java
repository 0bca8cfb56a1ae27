package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a person at a terminal is asked, and what keys do. */
class AtTheTerminalTest {
  private static final String CONTROL_C = "\u0003";
  private static final String CONTROL_D = "\u0004";

  private static TestHome home;

  @BeforeAll
  static void open() throws InterruptedException {
    assumeTrue(hasScript(), "script of util-linux, which makes terminals, is not installed");
    home = TestHome.fresh();
  }

  private static boolean hasScript() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("script", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterAll
  static void close() {
    if (home != null) {
      home.close();
    }
  }

  @Test
  void controlCAsksThenStopsThenKills() {
    Path file =
        home.task(
            "stubborn",
            "stop_duration: 1h",
            """
            trap '' TERM
            echo ready
            while :; do sleep 0.2; done
            """);
    RunningCommand apply =
        home.startInATerminal("apply", "-y", "-f", file.toString())
            .awaitOut("Ctrl-C to stop it or to detach")
            .awaitOut("ready\r\n");
    apply.type(CONTROL_C).awaitOut("Stop stubborn, or detach and leave it running?");
    apply
        .type("maybe\n")
        .awaitOut("running? [s/d, Enter to keep following] maybe\r\nStop stubborn");
    apply.type("d\n");
    assertThat(apply.await().expect(0).out()).contains("detached; stubborn keeps running");
    assertThat(home.run("stubborn").get("status").asString()).isEqualTo("running");

    RunningCommand attach = home.startInATerminal("attach", "stubborn").awaitOut("ready\r\n");
    attach.type(CONTROL_C).awaitOut("Stop stubborn, or detach");
    attach.type(CONTROL_C).awaitOut("berth: stopping stubborn (Ctrl-C again kills it)");
    Await.until(
        "the run is terminating",
        () -> home.run("stubborn").get("status").asString().equals("terminating"));
    attach.type(CONTROL_C).awaitOut("berth: killing stubborn");
    attach.await().expect(1);
    assertThat(home.run("stubborn").get("reason").asString()).isEqualTo("aborted_by_user");
  }

  @Test
  void whatIsNotConfirmedIsNotSubmitted() {
    String file = home.task("unwanted", "", "true").toString();
    RunningCommand no = home.startInATerminal("apply", "-f", file).awaitOut("Submit it? [y/n] ");
    no.type("\n").awaitOut("Please answer y or n.");
    no.type("n\n");
    assertThat(no.await().expect(1).out()).contains("berth: not submitted");
    RunningCommand end = home.startInATerminal("apply", "-f", file).awaitOut("Submit it? [y/n] ");
    end.type(CONTROL_D);
    assertThat(end.await().expect(1).out()).contains("berth: not submitted");
    assertThat(home.berth("ps", "-a").expect(0).out()).doesNotContain("unwanted");
  }

  @Test
  void runsAreWatchedUntilControlC() {
    home.submit(home.task("watched", "", "sleep 600"));
    RunningCommand ps = home.startInATerminal("ps", "-w").awaitOut("watched");
    home.abort("watched");
    ps.awaitOut("berth ps -a");
    ps.type(CONTROL_C);
    assertThat(ps.await().expect(0).out())
        .as("the former screen is back, with the last table")
        .containsPattern("\u001b\\[\\?1049l[^\u001b]*berth ps -a[^\u001b]*$");
  }
}
