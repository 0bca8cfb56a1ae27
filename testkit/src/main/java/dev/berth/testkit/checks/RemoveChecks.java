package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** How jobs are killed and forgotten. */
final class RemoveChecks {
  static final List<Check> ALL =
      List.of(
          check(
              "kill-ends-a-job-at-once",
              "When kill() returns, nothing of the job runs.",
              RemoveChecks::kills),
          check(
              "kill-unknown-is-silent",
              "kill() of a job that the backend does not know is silent.",
              trial ->
                  Expect.silent(
                      () -> trial.jobs().runtime().kill(trial.key()),
                      "kill() must be silent for a job that is not there")),
          check(
              "remove-forgets-a-job",
              "After remove() a job is Absent, and its output is Gone.",
              RemoveChecks::forgets),
          check(
              "remove-kills-what-runs",
              "remove() of a job that runs kills it first.",
              RemoveChecks::killsFirst),
          check(
              "remove-twice-is-silent",
              "remove() may be called again, and for a job that was never there.",
              RemoveChecks::twice));

  private RemoveChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CANCEL, name, sentence, body).needing(Part.JOBS);
  }

  private static void kills(Trial trial) {
    String job = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(job);
    trial.jobs().runtime().kill(job);
    JobObservation seen = trial.jobs().observe(job);
    Expect.that(
        seen instanceof JobObservation.Exited,
        "kill() returned while the job was not Exited: wait for its end");
    Expect.that(
        seen instanceof JobObservation.Exited exited
            && exited.cause() != JobObservation.Cause.EXITED,
        "a job that was killed must not look as if it had ended by itself");
  }

  private static void forgets(Trial trial) {
    String job = trial.jobs().run("echo forgotten");
    trial.jobs().awaitEnd(job);
    trial.jobs().runtime().remove(job);
    absent(trial, job);
    Expect.thrown(
        () -> trial.jobs().runtime().read(job, JobRuntime.Stream.STDOUT, 0, 10),
        "read() of a job that was removed",
        BackendException.Gone.class);
  }

  private static void absent(Trial trial, String job) {
    Expect.that(
        trial.jobs().observe(job) instanceof JobObservation.Absent,
        "a job that was removed must be Absent");
  }

  private static void killsFirst(Trial trial) {
    String job = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(job);
    Expect.silent(
        () -> trial.jobs().runtime().remove(job), "remove() of a job that runs must kill it first");
    absent(trial, job);
  }

  private static void twice(Trial trial) {
    String job = trial.jobs().run("echo forgotten");
    trial.jobs().awaitEnd(job);
    trial.jobs().runtime().remove(job);
    Expect.silent(
        () -> trial.jobs().runtime().remove(job), "remove() must be silent the second time");
    Expect.silent(
        () -> trial.jobs().runtime().remove(trial.key()),
        "remove() must be silent for a job that was never there");
  }
}
