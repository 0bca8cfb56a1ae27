package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How jobs are known again by their keys. */
final class JobKeyChecks {
  private static final int AT_ONCE = 4;

  static final List<Check> ALL =
      List.of(
          check(
                  "start-twice-runs-once",
                  "Asked twice with one key, start() runs one job.",
                  JobKeyChecks::twice)
              .needing(Part.KEYED),
          check(
                  "start-after-the-end-runs-nothing",
                  "start() with the key of a job that has ended leaves it as it is.",
                  JobKeyChecks::afterEnd)
              .needing(Part.KEYED),
          check(
                  "start-at-once-runs-once",
                  "Several calls of start() with one key at one time run one job.",
                  JobKeyChecks::atOnce)
              .needing(Part.KEYED),
          check(
                  "start-twice-is-listed-twice",
                  "Where start() with one key makes two jobs, list() has the key twice.",
                  JobKeyChecks::listedTwice)
              .needing(Part.LOOKUP),
          check(
              "jobs-are-listed",
              "list() has the key of each job from its start until it is removed.",
              JobKeyChecks::listed),
          check(
              "jobs-are-listed-from-every-page",
              "list() reads every page of the provider's lists of jobs.",
              JobKeyChecks::everyPage),
          check(
                  "jobs-of-others-are-not-listed",
                  "list() has no jobs of another installation.",
                  JobKeyChecks::foreign)
              .needing(Part.OFFERS));

  private JobKeyChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.JOBS, name, sentence, body).needing(Part.JOBS);
  }

  private static void twice(Trial trial) {
    JobRequest request = trial.jobs().request("echo once");
    trial.jobs().start(request);
    trial.jobs().start(request);
    ranOnce(trial, request.attemptId());
  }

  private static void afterEnd(Trial trial) {
    JobRequest request = trial.jobs().request("echo once");
    trial.jobs().start(request);
    JobObservation.Exited end = trial.jobs().awaitEnd(request.attemptId());
    trial.jobs().start(request);
    Expect.same(
        end,
        trial.jobs().observe(request.attemptId()),
        "a job that ended, after start() with its key");
    ranOnce(trial, request.attemptId());
  }

  private static void atOnce(Trial trial) throws Exception {
    JobRequest request = trial.jobs().request("echo once");
    trial.jobs().keepInMind(request.attemptId());
    JobRuntime runtime = trial.jobs().runtime();
    Callable<Object> start = () -> runtime.start(request);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Object> answer : threads.invokeAll(Collections.nCopies(AT_ONCE, start))) {
        answer.get();
      }
    }
    ranOnce(trial, request.attemptId());
  }

  private static void ranOnce(Trial trial, String job) {
    trial.jobs().awaitEnd(job);
    trial.pass(trial.things().visibleWithin());
    Expect.same(
        "once\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "the output of a job that may run only once");
    Expect.same(1, listed(trial, job), "entries of list() for one key");
  }

  private static int listed(Trial trial, String job) {
    return Collections.frequency(trial.jobs().runtime().list(trial.owner()), job);
  }

  private static void listedTwice(Trial trial) {
    JobRequest request = trial.jobs().request("sleep 3600");
    trial.jobs().start(request);
    trial.jobs().start(request);
    trial.pass(trial.things().visibleWithin());
    int entries = listed(trial, request.attemptId());
    trial.jobs().runtime().remove(request.attemptId());
    Expect.same(
        2,
        entries,
        "entries of list() for a key that was started twice; where the second start() finds the"
            + " first job, the identity is better than Identity.Lookup");
  }

  private static void listed(Trial trial) {
    String job = trial.jobs().run("echo listed");
    trial.pass(trial.things().visibleWithin());
    Expect.same(1, listed(trial, job), "entries of list() for a job that was started");
    trial.jobs().awaitEnd(job);
    Expect.same(1, listed(trial, job), "entries of list() for a job that ended");
    trial.jobs().runtime().remove(job);
    trial.await(
        trial.limits().gone(),
        "list() still has the key of a job that was removed",
        () -> listed(trial, job) == 0 ? Optional.of(true) : Optional.empty());
  }

  private static void everyPage(Trial trial) {
    int page =
        trial
            .provider()
            .pageSize()
            .orElseThrow(() -> new NotApplicable("the provider shows all jobs by one call"));
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i <= page; i++) {
      jobs.add(trial.jobs().run("echo listed"));
    }
    trial.pass(trial.things().visibleWithin());
    List<String> missing = new ArrayList<>(jobs);
    missing.removeAll(trial.jobs().runtime().list(trial.owner()));
    Expect.that(
        missing.isEmpty(),
        "list() has %d of %d jobs: ask for every page, and throw where one is missing"
            .formatted(jobs.size() - missing.size(), jobs.size()));
  }

  private static void foreign(Trial trial) {
    String job = trial.jobs().run("echo mine");
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        !trial.jobs().runtime().list(trial.stranger()).contains(job),
        "list() of another owner has our job: list only what carries the owner's mark");
  }
}
