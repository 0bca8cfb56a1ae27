package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.ProviderSide;
import dev.berth.testkit.ProviderSide.Calls;
import dev.berth.testkit.ProviderSide.Existing;
import dev.berth.testkit.ProviderSide.Failure;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Optional;

/** What becomes of rented jobs where the provider fails. */
final class JobFailureChecks {
  /** No backend needs more calls to start or release one job. */
  private static final int MOST_CALLS = 30;

  static final List<Check> ALL =
      List.of(
          check(
                  "failed-start-runs-once",
                  "If any one of the calls that start() makes fails, calling start() again runs one"
                      + " job and rents nothing twice.",
                  trial -> {
                    eachFailedStart(trial, Failure.LOST_BEFORE);
                    eachFailedStart(trial, Failure.LOST_AFTER);
                    eachFailedStart(trial, Failure.UNAVAILABLE);
                  })
              .needing(Part.KEYED),
          check(
              "failed-look-hides-no-job",
              "If any call of observe() or list() fails, they throw what the provider says or"
                  + " return a complete answer; what is missing would be taken for gone.",
              trial -> {
                eachLook(trial, Failure.UNAVAILABLE);
                eachLook(trial, Failure.LOST_BEFORE);
                eachLook(trial, Failure.TOO_MANY);
              }),
          check(
              "failed-release-forgets-nothing",
              "If the provider refuses any one of the calls that release() makes, calling release()"
                  + " until it is silent still ends the bill.",
              JobFailureChecks::eachFailedRelease));

  private JobFailureChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.ERRORS, name, sentence, body).needing(Part.JOBS, Part.OFFERS);
  }

  private static long everMade(Trial trial) {
    return trial.provider().everMade().values().stream().mapToLong(Long::longValue).sum();
  }

  private static void eachFailedStart(Trial trial, Failure failure) {
    ProviderSide.Faults faults = Failing.faults(trial);
    long first = everMade(trial);
    trial.jobs().awaitEnd(trial.jobs().run("echo once"));
    long once = everMade(trial) - first;
    for (int call = 1; call <= MOST_CALLS; call++) {
      JobRequest request = trial.jobs().request("echo once");
      String job = request.attemptId();
      trial.jobs().keepInMind(job);
      long before = everMade(trial);
      try (ProviderSide.Injected injected = faults.at(Calls.WRITES, call, failure)) {
        trial.await(
            trial.limits().ready(),
            "start() of a job did not succeed when it was called again",
            () -> Optional.of(trial.jobs().runtimeWithoutRetries().start(request)));
        if (!injected.hasHappened()) {
          return;
        }
      }
      trial.jobs().awaitEnd(job);
      Expect.same(
          once,
          everMade(trial) - before,
          "things that were rented for a job when call %d of start() failed and start() was called"
                  .formatted(call)
              + " again, which must find what is there");
      Expect.same(
          "once\n",
          trial.jobs().output(job, JobRuntime.Stream.STDOUT),
          "the output of a job whose start() failed and was called again");
    }
  }

  private static void eachLook(Trial trial, Failure failure) {
    Failing.faults(trial);
    String job = trial.jobs().run("echo seen", "exit 4");
    JobObservation end = trial.jobs().awaitEnd(job);
    trial.pass(trial.things().visibleWithin());
    FailureChecks.eachCall(
        trial,
        failure,
        "observe()",
        () -> trial.jobs().runtimeWithoutRetries().observe(List.of(job)),
        (seen, when) ->
            Expect.same(
                List.of(end),
                seen,
                when + ", and what it showed is not what the provider has; throw Transient"));
    FailureChecks.eachCall(
        trial,
        failure,
        "list()",
        () -> trial.jobs().runtimeWithoutRetries().list(trial.owner()),
        (listed, when) ->
            Expect.that(
                listed.contains(job),
                when
                    + ", and it left out a job: throw Transient, since what list() does not show"
                    + " is taken for gone"));
  }

  private static void eachFailedRelease(Trial trial) {
    ProviderSide.Faults faults = Failing.faults(trial);
    for (int call = 1; call <= MOST_CALLS; call++) {
      List<Existing> before = trial.leftAtProvider();
      String job = trial.jobs().run("echo released");
      trial.jobs().awaitEnd(job);
      try (ProviderSide.Injected injected = faults.at(Calls.WRITES, call, Failure.UNAVAILABLE)) {
        trial.await(
            trial.limits().gone(),
            "release() did not succeed when it was called again",
            () -> {
              trial.jobs().runtimeWithoutRetries().release(job);
              return Optional.of(true);
            });
        ReleaseChecks.awaitNothingMore(
            trial,
            before,
            "call %d of release() failed, release() was silent, and the provider still has what was"
                    .formatted(call)
                + " rented: throw Transient, so that Berth calls release() again");
        if (!injected.hasHappened()) {
          return;
        }
      }
    }
  }
}
