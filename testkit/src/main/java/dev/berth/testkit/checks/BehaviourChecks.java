package dev.berth.testkit.checks;

import dev.berth.model.JobRequest;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Rewriting;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Queue positions and rewriting. */
final class BehaviourChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "queue-positions-are-of-waiting-jobs",
                  "positions() has an entry for jobs that wait, none for those that run, have ended"
                      + " or are unknown.",
                  BehaviourChecks::positions)
              .needing(Part.JOBS)
              .using(Trait.QUEUE_POSITION),
          check(
                  "queue-positions-refused",
                  "Without QUEUE_POSITION there is no queue().",
                  trial ->
                      trial.noBehaviour(trial.compute().queue(), Trait.QUEUE_POSITION, "queue()"))
              .refusing(Trait.QUEUE_POSITION),
          check(
                  "rewriting-is-pure",
                  "rewrite() gives the same for the same request, so that it can be made once more"
                      + " after a crash.",
                  BehaviourChecks::pure)
              .needing(Part.JOBS)
              .using(Trait.REWRITING),
          check(
                  "rewriting-keeps-key-share-and-place",
                  "rewrite() leaves a job's key, share and place as they are.",
                  BehaviourChecks::keeps)
              .needing(Part.JOBS)
              .using(Trait.REWRITING),
          check(
                  "rewritten-job-runs",
                  "What rewrite() gives can be started, and does what was asked for.",
                  BehaviourChecks::runs)
              .needing(Part.JOBS)
              .using(Trait.REWRITING),
          check(
                  "rewriting-refused",
                  "Without REWRITING there is no rewriting().",
                  trial ->
                      trial.noBehaviour(
                          trial.compute().rewriting(), Trait.REWRITING, "rewriting()"))
              .refusing(Trait.REWRITING));

  private BehaviourChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.BEHAVIOURS, name, sentence, body);
  }

  private static void positions(Trial trial) {
    JobQueue queue = trial.behaviour(trial.compute().queue(), Trait.QUEUE_POSITION, "queue()");
    String unknown = trial.key();
    String job = trial.jobs().run("sleep 3600");
    queue
        .positions(List.of(job))
        .values()
        .forEach(
            position -> Expect.that(position >= 0, "a position says how many are before the job"));
    trial.jobs().awaitRunning(job);
    String ended = trial.jobs().run("echo done");
    trial.jobs().awaitEnd(ended);
    Expect.same(
        Map.of(),
        queue.positions(List.of(job, ended, unknown)),
        "positions() of a job that runs, one that ended and one that nobody knows");
  }

  private static Rewriting rewriting(Trial trial) {
    return trial.behaviour(trial.compute().rewriting(), Trait.REWRITING, "rewriting()");
  }

  private static void pure(Trial trial) {
    Rewriting rewriting = rewriting(trial);
    JobRequest request = trial.jobs().request("echo rewritten");
    Expect.that(
        rewriting.rewrite(request).equals(rewriting.rewrite(request)),
        "rewrite() of one request gives two different ones: use nothing but the request");
  }

  private static void keeps(Trial trial) {
    JobRequest request = trial.jobs().request("echo rewritten");
    JobRequest rewritten = rewriting(trial).rewrite(request);
    Expect.that(
        request.attemptId().equals(rewritten.attemptId()), "rewrite() changed the job's key");
    Expect.same(request.share(), rewritten.share(), "the share of a rewritten job");
    Expect.that(
        Objects.equals(request.place(), rewritten.place()), "rewrite() changed the job's place");
  }

  private static void runs(Trial trial) {
    JobRequest request = trial.jobs().request("echo rewritten", "exit 9");
    String job = trial.jobs().start(rewriting(trial).rewrite(request));
    Expect.same(9, trial.jobs().awaitEnd(job).code(), "the exit code of a rewritten job");
    Expect.that(
        trial.jobs().output(job, JobRuntime.Stream.STDOUT).contains("rewritten\n"),
        "a rewritten job does not do what was asked for");
  }
}
