package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.spi.JobRuntime;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.ProviderSide.Existing;
import dev.berth.testkit.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long jobs stay after their end, and how their places are given back. */
final class ReleaseChecks {
  /** Berth copies the output sooner, but a server may be down for a while. */
  private static final Duration KEPT = Duration.ofHours(2);

  static final List<Check> ALL =
      List.of(
          check(
              "ended-job-stays-until-release",
              "The exit code and the output of a job that ended stay readable until release() or"
                  + " remove().",
              ReleaseChecks::stays),
          check(
              "release-kills-what-runs",
              "release() of a job that runs kills it.",
              ReleaseChecks::kills),
          check(
              "release-twice-is-silent",
              "release() may be called again, and for a job that was never there.",
              ReleaseChecks::twice),
          check(
                  "release-ends-the-bill",
                  "After release(), nothing that was rented for the job costs money at the"
                      + " provider.",
                  ReleaseChecks::endsTheBill)
              .needing(Part.OFFERS));

  private ReleaseChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CANCEL, name, sentence, body).needing(Part.JOBS);
  }

  private static void stays(Trial trial) {
    if (!trial.subject().environment().patience().makesHoursPass()) {
      throw new NotApplicable("hours do not pass at once here; see FakeClock, by which they do");
    }
    String job = trial.jobs().run("echo kept", "exit 9");
    JobObservation.Exited end = trial.jobs().awaitEnd(job);
    trial.pass(KEPT);
    Expect.same(
        end,
        trial.jobs().observe(job),
        "a job that ended %d hours ago and was not released; where the provider forgets it, let"
                .formatted(KEPT.toHours())
            + " its container linger until release()");
    Expect.same(
        "kept\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "the output of a job that ended %d hours ago and was not released"
            .formatted(KEPT.toHours()));
  }

  private static void kills(Trial trial) {
    String job = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(job);
    trial.jobs().runtime().release(job);
    JobObservation seen = trial.jobs().observe(job);
    Expect.that(
        seen instanceof JobObservation.Absent || seen instanceof JobObservation.Exited,
        "a job that ran when it was released is %s: kill it before its place is given back"
            .formatted(seen.getClass().getSimpleName()));
  }

  private static void twice(Trial trial) {
    String job = trial.jobs().run("echo released");
    trial.jobs().awaitEnd(job);
    trial.jobs().runtime().release(job);
    Expect.silent(
        () -> trial.jobs().runtime().release(job), "release() must be silent the second time");
    Expect.silent(
        () -> trial.jobs().runtime().release(trial.key()),
        "release() must be silent for a job that was never there");
  }

  private static void endsTheBill(Trial trial) {
    trial.provider();
    List<Existing> before = trial.leftAtProvider();
    String ended = trial.jobs().run("echo released");
    String running = trial.jobs().run("sleep 3600");
    trial.jobs().awaitEnd(ended);
    trial.jobs().awaitRunning(running);
    trial.jobs().runtime().release(ended);
    trial.jobs().runtime().release(running);
    awaitNothingMore(
        trial,
        before,
        "two jobs were released, and the provider still has what was rented for them: delete in"
            + " release() all that costs money");
  }

  static void awaitNothingMore(Trial trial, List<Existing> before, String otherwise) {
    trial.await(
        trial.limits().gone(),
        otherwise,
        () -> {
          List<Existing> left = new ArrayList<>(trial.leftAtProvider());
          left.removeAll(before);
          return left.isEmpty() ? Optional.of(true) : Optional.empty();
        });
  }
}
