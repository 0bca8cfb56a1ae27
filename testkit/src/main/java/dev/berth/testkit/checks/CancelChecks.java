package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How jobs are asked to end. */
final class CancelChecks {
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration LONG_GRACE = Duration.ofHours(2);
  private static final int SIGTERM = 143;
  private static final int SIGKILL = 137;

  static final List<Check> ALL =
      List.of(
          check(
              "stop-ends-a-job",
              "stop() asks a job to end: one that does not mind ends with STOPPED and code 143.",
              CancelChecks::ends),
          check(
              "stop-kills-after-the-grace",
              "What does not end by itself is killed after the grace, with code 137.",
              CancelChecks::kills),
          check(
                  "stop-keeps-the-exit-code",
                  "A job that ends by itself when it is asked to keeps its own exit code.",
                  CancelChecks::keepsTheCode)
              .needing(Part.SHELL),
          check(
                  "stop-keeps-the-last-output",
                  "What a job writes between stop() and its end is read.",
                  CancelChecks::keepsTheOutput)
              .needing(Part.SHELL),
          check(
              "stop-may-shorten-the-grace",
              "A second stop() with a shorter grace counts.",
              CancelChecks::shortens),
          check(
              "stop-never-lengthens-the-grace",
              "A second stop() with a longer grace changes nothing.",
              CancelChecks::lengthens),
          check(
              "stop-right-after-start",
              "A job that is stopped before it runs never runs to its end.",
              CancelChecks::rightAway),
          check(
              "stop-after-the-end-changes-nothing",
              "stop() and kill() of a job that has ended leave its end as it is.",
              CancelChecks::afterEnd),
          check(
              "stop-races-with-the-end",
              "Where a job ends while it is stopped, its end is told once and does not change.",
              CancelChecks::race),
          check(
              "stop-twice-is-silent",
              "stop() may be called again, also when the job has ended.",
              CancelChecks::twice),
          check(
              "stop-unknown-is-silent",
              "stop() of a job that the backend does not know is silent.",
              trial ->
                  Expect.silent(
                      () -> trial.jobs().runtime().stop(trial.key(), GRACE),
                      "stop() must be silent for a job that is not there")));

  private CancelChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CANCEL, name, sentence, body).needing(Part.JOBS);
  }

  private static String running(Trial trial, String... commands) {
    String job = trial.jobs().run(commands);
    trial.jobs().awaitRunning(job);
    return job;
  }

  /** A job that does not end when it is asked to, and says when it has made up its mind. */
  private static String stubborn(Trial trial) {
    return ready(trial, "trap '' TERM", "echo ready", "sleep 3600");
  }

  /** A job that has written something. */
  private static String ready(Trial trial, String... commands) {
    String job = running(trial, commands);
    trial.await(
        trial.limits().ready(),
        "what a running job wrote could not be read",
        () ->
            Optional.of(trial.jobs().runtime().read(job, JobRuntime.Stream.STDOUT, 0, 1024))
                .filter(output -> output.bytes().length > 0));
    return job;
  }

  private static void ends(Trial trial) {
    String job = running(trial, "sleep 3600");
    trial.jobs().runtime().stop(job, LONG_GRACE);
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    Expect.same(Cause.STOPPED, end.cause(), "the cause of the end of a job that was stopped");
    Expect.same(SIGTERM, end.code(), "the code of a job that was stopped");
  }

  private static void kills(Trial trial) {
    String job = stubborn(trial);
    trial.jobs().runtime().stop(job, GRACE);
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    Expect.that(
        end.cause() == Cause.STOPPED || end.cause() == Cause.KILLED,
        "a job that was killed after the grace ended with the cause %s: say STOPPED or KILLED"
            .formatted(end.cause()));
    Expect.same(SIGKILL, end.code(), "the code of a job that was killed after the grace");
  }

  /** A shell minds a signal only when its child has ended, but at once while it waits. */
  private static String tidyingUp(Trial trial, String how) {
    return ready(trial, "trap '" + how + "' TERM", "echo ready", "sleep 3600 & wait");
  }

  private static void keepsTheCode(Trial trial) {
    String job = tidyingUp(trial, "exit 9");
    trial.jobs().runtime().stop(job, LONG_GRACE);
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    Expect.same(
        9,
        end.code(),
        "the exit code of a job that ended with 'exit 9' when it was asked to; tell the job's own,"
            + " and never guess it from the signal");
    Expect.that(
        end.cause() == Cause.STOPPED || end.cause() == Cause.EXITED,
        "a job that ended by itself when it was asked to has the cause %s: say STOPPED or EXITED"
            .formatted(end.cause()));
  }

  private static void keepsTheOutput(Trial trial) {
    String job = tidyingUp(trial, "echo saved; echo warned >&2; exit 0");
    trial.jobs().runtime().stop(job, LONG_GRACE);
    trial.jobs().awaitEnd(job);
    Expect.same(
        "ready\nsaved\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "the output of a job that wrote 'saved' after stop(), of which nothing may be lost");
    Expect.same(
        "warned\n",
        trial.jobs().output(job, JobRuntime.Stream.STDERR),
        "the errors of a job that wrote 'warned' after stop(), of which nothing may be lost");
  }

  private static void shortens(Trial trial) {
    String job = stubborn(trial);
    trial.jobs().runtime().stop(job, LONG_GRACE);
    trial.jobs().runtime().stop(job, GRACE);
    trial.jobs().awaitEnd(job);
  }

  private static void lengthens(Trial trial) {
    String job = stubborn(trial);
    trial.jobs().runtime().stop(job, GRACE);
    trial.jobs().runtime().stop(job, LONG_GRACE);
    trial.jobs().awaitEnd(job);
  }

  private static void rightAway(Trial trial) {
    String job = trial.jobs().run("sleep 30", "echo done");
    trial.jobs().runtime().stop(job, GRACE);
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    Expect.that(
        end.cause() != Cause.EXITED,
        "a job that was stopped right after start() ran to its end: remember that it was stopped"
            + " until it can be");
  }

  private static void afterEnd(Trial trial) {
    String job = trial.jobs().run("exit 7");
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    trial.jobs().runtime().stop(job, GRACE);
    trial.jobs().runtime().kill(job);
    Expect.same(
        end, trial.jobs().observe(job), "a job that had ended, after it was stopped and killed");
  }

  private static void race(Trial trial) {
    JobRuntime runtime = trial.jobs().runtime();
    String job = running(trial, "sleep 1", "exit 8");
    trial.pass(Duration.ofMillis(900));
    runtime.stop(job, GRACE);
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    Expect.that(
        List.of(Cause.EXITED, Cause.STOPPED, Cause.KILLED).contains(end.cause()),
        "a job that ended while it was stopped ended with the cause %s".formatted(end.cause()));
    Expect.that(
        end.cause() != Cause.EXITED || Integer.valueOf(8).equals(end.code()),
        "a job that ended by itself while it was stopped must keep its own exit code");
    trial.pass(GRACE.plusMillis(500));
    Expect.same(
        end, trial.jobs().observe(job), "the end of a job, observed when the grace is over");
  }

  private static void twice(Trial trial) {
    String job = running(trial, "sleep 3600");
    trial.jobs().runtime().stop(job, GRACE);
    Expect.silent(
        () -> trial.jobs().runtime().stop(job, GRACE), "stop() must be silent the second time");
    trial.jobs().awaitEnd(job);
    Expect.silent(
        () -> trial.jobs().runtime().stop(job, GRACE),
        "stop() must be silent for a job that has ended");
  }
}
