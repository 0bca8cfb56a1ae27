package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.broken.Variant.jobs;

import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Backends that stop, kill or remove jobs wrongly. */
final class CancelVariants {
  private CancelVariants() {}

  static List<Variant> all() {
    AtomicInteger looks = new AtomicInteger();
    Set<String> once = new HashSet<>();
    Set<String> before = new HashSet<>();
    Set<String> asked = new HashSet<>();
    return List.of(
        jobs(
            "stop-ends-a-job",
            containers(),
            Fault.end(
                end ->
                    end.cause() == Cause.STOPPED
                        ? Altered.end(end, end.code(), Cause.EXITED)
                        : end)),
        jobs(
            "stop-kills-after-the-grace",
            containers(),
            Fault.stop((sound, job, grace) -> sound.stop(job, grace.multipliedBy(100_000)))),
        jobs(
            "stop-may-shorten-the-grace",
            containers(),
            Fault.stop(
                (sound, job, grace) -> {
                  if (once.add(job)) {
                    sound.stop(job, grace);
                  }
                })),
        jobs(
            "stop-never-lengthens-the-grace",
            containers(),
            // The last word counts, so the first one is kept back until it is known.
            Fault.stop(
                (sound, job, grace) -> {
                  if (!before.add(job)) {
                    sound.stop(job, grace);
                  }
                })),
        jobs(
            "stop-right-after-start",
            containers(),
            Fault.stop(
                (sound, job, grace) -> {
                  if (!(Altered.observed(sound, job) instanceof JobObservation.Prepared)) {
                    sound.stop(job, grace);
                  }
                })),
        jobs("stop-after-the-end-changes-nothing", containers(), RewritesHistory::new),
        jobs(
            "stop-races-with-the-end",
            containers(),
            Fault.end(
                end ->
                    new JobObservation.Exited(
                        end.code(),
                        end.cause(),
                        "look " + looks.incrementAndGet(),
                        end.startedAt(),
                        end.endedAt()))),
        jobs(
            "stop-twice-is-silent",
            containers(),
            Fault.stop(
                (sound, job, grace) -> {
                  if (!asked.add(job)) {
                    throw Altered.permanent();
                  }
                  sound.stop(job, grace);
                })),
        jobs(
            "stop-unknown-is-silent",
            containers(),
            Fault.stop(
                (sound, job, grace) -> {
                  requireKnown(sound, job);
                  sound.stop(job, grace);
                })),
        jobs("kill-ends-a-job-at-once", containers(), Fault.kill((_, _) -> {})),
        jobs(
            "kill-unknown-is-silent",
            containers(),
            Fault.kill(
                (sound, job) -> {
                  requireKnown(sound, job);
                  sound.kill(job);
                })),
        jobs("remove-forgets-a-job", containers(), Fault.remove(JobRuntime::kill)),
        jobs(
            "remove-kills-what-runs",
            containers(),
            Fault.remove(
                (sound, job) -> {
                  if (Altered.runs(sound, job)) {
                    throw Altered.permanent();
                  }
                  sound.remove(job);
                })),
        jobs(
            "remove-twice-is-silent",
            containers(),
            Fault.remove(
                (sound, job) -> {
                  requireKnown(sound, job);
                  sound.remove(job);
                })));
  }

  private static void requireKnown(JobRuntime sound, String job) {
    if (Altered.isAbsent(sound, job)) {
      throw Altered.gone();
    }
  }

  /** Says that a job was killed, though it had ended before. */
  private static final class RewritesHistory extends ForwardingRuntime {
    private final Set<String> stopped = new HashSet<>();

    RewritesHistory(JobRuntime sound) {
      super(sound);
    }

    @Override
    public void stop(String job, Duration grace) {
      stopped.add(job);
      super.stop(job, grace);
    }

    @Override
    public List<JobObservation> observe(List<String> jobs) {
      return jobs.stream().map(this::told).toList();
    }

    private JobObservation told(String job) {
      JobObservation seen = Altered.observed(sound, job);
      return stopped.contains(job) && seen instanceof JobObservation.Exited end
          ? Altered.end(end, 137, Cause.KILLED)
          : seen;
    }
  }
}
