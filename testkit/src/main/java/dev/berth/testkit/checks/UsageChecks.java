package dev.berth.testkit.checks;

import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What jobs use of processors and memory. */
final class UsageChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "usage-is-of-running-jobs",
                  "usage() has figures for jobs that run, and no entry for those that have ended"
                      + " or are unknown.",
                  UsageChecks::ofRunningJobs)
              .using(Trait.USAGE),
          check(
                  "usage-grows",
                  "The processor time of a job that computes grows, with the time at which it was"
                      + " measured.",
                  UsageChecks::grows)
              .using(Trait.USAGE),
          check(
                  "usage-refused",
                  "Without USAGE the use of processors and memory is refused.",
                  UsageChecks::refused)
              .refusing(Trait.USAGE));

  private UsageChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.BEHAVIOURS, name, sentence, body).needing(Part.JOBS);
  }

  /** A job that computes, where a shell runs it. */
  private static String busy(Trial trial) {
    String job = trial.jobs().run(trial.hasRealShell() ? "while :; do :; done" : "sleep 3600");
    trial.jobs().awaitRunning(job);
    return job;
  }

  private static JobUsage awaitUsage(Trial trial, String job) {
    JobRuntime runtime = trial.jobs().runtime();
    return trial.await(
        trial.limits().ready(),
        "usage() had no entry for a job that runs",
        () -> Optional.ofNullable(runtime.usage(List.of(job)).get(job)));
  }

  private static void ofRunningJobs(Trial trial) {
    String running = busy(trial);
    String ended = trial.jobs().run("echo done");
    trial.jobs().awaitEnd(ended);
    JobUsage usage = awaitUsage(trial, running);
    Expect.that(usage.memoryBytes() > 0, "usage() says that a running job has no memory");
    Long limit = usage.memoryLimitBytes();
    Expect.that(
        limit == null || usage.memoryBytes() <= limit,
        "usage() says that a job has more memory than it can have");
    Map<String, JobUsage> told = trial.jobs().runtime().usage(List.of(running, ended, trial.key()));
    Expect.that(
        Set.of(running).containsAll(told.keySet()),
        "usage() has an entry for a job that ended or that nobody knows");
  }

  private static void grows(Trial trial) {
    String job = busy(trial);
    JobRuntime runtime = trial.jobs().runtime();
    JobUsage first = awaitUsage(trial, job);
    JobUsage second =
        trial.await(
            trial.limits().ready(),
            "usage() did not show that the processor time of a job grows that computes",
            () ->
                Optional.ofNullable(runtime.usage(List.of(job)).get(job))
                    .filter(now -> now.processorTime().compareTo(first.processorTime()) > 0));
    Expect.that(
        second.at().isAfter(first.at()),
        "usage() shows a job's processor time grown, measured at the same time as before");
  }

  private static void refused(Trial trial) {
    String job = busy(trial);
    Expect.refused(
        () -> trial.jobs().runtime().usage(List.of(job)), "usage() of a running job", Trait.USAGE);
  }
}
