package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How jobs run and how they are seen. */
final class JobChecks {
  private static final Duration SHORT = Duration.ofSeconds(1);

  static final List<Check> ALL =
      List.of(
          check(
              "job-runs-and-ends",
              "A job runs its commands and is then Exited with code 0, and times in order.",
              JobChecks::runs),
          check(
              "job-exit-code-is-told",
              "A job that ends with a code of its own is Exited with that code.",
              JobChecks::exitCode),
          check(
              "job-is-seen-running",
              "While its commands run, a job is Running since a time that does not change.",
              JobChecks::running),
          check(
                  "job-gets-its-environment",
                  "A job's commands see the variables of its environment.",
                  JobChecks::environment)
              .needing(Part.SHELL),
          check(
              "job-max-duration-ends-it",
              "A job that runs longer than its maxDuration is ended, with the cause"
                  + " MAX_DURATION_EXCEEDED.",
              JobChecks::maxDuration),
          check(
              "observe-unknown-is-absent",
              "A job that the backend does not know is Absent.",
              JobChecks::unknown),
          check(
              "observe-keeps-the-order",
              "observe() answers for each job in the order asked for, also for none.",
              JobChecks::order),
          check(
              "describe-tells-the-status",
              "describe() tells a job's state in our words and in the provider's; an unknown job is"
                  + " Gone.",
              JobChecks::describes),
          check(
              "jobs-outlive-the-server",
              "A server that was started again sees the jobs, their end and their output.",
              JobChecks::outlive),
          check(
              "watch-ends-when-closed",
              "watch() tells of jobs by their keys until it is closed, and of nothing after that.",
              JobChecks::watch));

  private JobChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.JOBS, name, sentence, body).needing(Part.JOBS);
  }

  private static void runs(Trial trial) {
    JobObservation.Exited end = trial.jobs().awaitEnd(trial.jobs().run("echo hello"));
    Expect.same(0, end.code(), "the exit code of a job whose commands succeed");
    Expect.same(JobObservation.Cause.EXITED, end.cause(), "the cause of such a job's end");
    Instant started = end.startedAt();
    Expect.that(
        started != null && !end.endedAt().isBefore(started),
        "a job that ran has a start, which is not after its end");
  }

  private static void exitCode(Trial trial) {
    JobObservation.Exited end = trial.jobs().awaitEnd(trial.jobs().run("exit 3"));
    Expect.same(3, end.code(), "the exit code of a job that ends with 'exit 3'");
    Expect.same(JobObservation.Cause.EXITED, end.cause(), "the cause of such a job's end");
  }

  private static void running(Trial trial) {
    String job = trial.jobs().run("sleep 3600");
    JobObservation.Running first = trial.jobs().awaitRunning(job);
    Expect.same(first, trial.jobs().awaitRunning(job), "a job that runs, observed again");
  }

  private static void environment(Trial trial) {
    String job =
        trial
            .jobs()
            .start(
                trial
                    .jobs()
                    .request(List.of("echo $KIT_WORD"), null, Map.of("KIT_WORD", "visible")));
    trial.jobs().awaitEnd(job);
    Expect.same(
        "visible\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "what a job prints of its environment");
  }

  private static void maxDuration(Trial trial) {
    String job = trial.jobs().start(trial.jobs().request(List.of("sleep 3600"), SHORT, Map.of()));
    Expect.same(
        JobObservation.Cause.MAX_DURATION_EXCEEDED,
        trial.jobs().awaitEnd(job).cause(),
        "the cause of a job's end after its maxDuration");
  }

  private static void unknown(Trial trial) {
    Expect.that(
        trial.jobs().observe(trial.key()) instanceof JobObservation.Absent,
        "a job that was never started must be Absent");
  }

  private static void order(Trial trial) {
    JobRuntime runtime = trial.jobs().runtime();
    Expect.same(List.of(), runtime.observe(List.of()), "observe() of no jobs");
    String job = trial.jobs().run("exit 4");
    trial.jobs().awaitEnd(job);
    List<JobObservation> seen = runtime.observe(List.of(trial.key(), job, trial.key()));
    Expect.same(3, seen.size(), "observations of three jobs, of which one is known");
    Expect.that(
        seen.get(0) instanceof JobObservation.Absent
            && seen.get(1) instanceof JobObservation.Exited
            && seen.get(2) instanceof JobObservation.Absent,
        "observe() must answer in the order asked for, with Absent for those not known");
  }

  private static void describes(Trial trial) {
    JobRuntime runtime = trial.jobs().runtime();
    String job = trial.jobs().run("exit 5");
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    JobDescription description = runtime.describe(job);
    Expect.same(end, description.observation(), "describe() and observe() of a job that ended");
    Expect.that(
        !description.providerStatus().isBlank(), "describe() must tell the provider's own word");
    Expect.thrown(
        () -> runtime.describe(trial.key()),
        "describe() of a job that was never started",
        BackendException.Gone.class);
  }

  private static void outlive(Trial trial) {
    String job = trial.jobs().run("echo kept", "exit 6");
    JobRuntime again =
        trial
            .reopened()
            .runtime()
            .orElseThrow(() -> new CheckFailure("runtime() is empty when opened again"));
    JobObservation.Exited end = trial.jobs().awaitEnd(again, job);
    Expect.same(
        6, end.code(), "the exit code of a job that an earlier server started, which is " + end);
    Expect.same(
        "kept\n",
        trial.jobs().output(again, job, JobRuntime.Stream.STDOUT, 1024),
        "the output of a job that an earlier server started");
  }

  private static void watch(Trial trial) throws Exception {
    Set<String> told = ConcurrentHashMap.newKeySet();
    String first;
    try (AutoCloseable _ = trial.jobs().runtime().watch(told::add)) {
      first = trial.jobs().run("echo seen");
      trial.jobs().awaitEnd(first);
    }
    Set<String> before = Set.copyOf(told);
    String second = trial.jobs().run("echo unseen");
    trial.jobs().awaitEnd(second);
    Expect.that(
        before.isEmpty() || before.contains(first),
        "watch() told of other jobs than those that changed: call back with the job's key");
    Expect.that(!told.contains(second), "watch() called back after it was closed");
  }
}
