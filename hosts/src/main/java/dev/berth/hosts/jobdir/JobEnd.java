package dev.berth.hosts.jobdir;

import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import java.time.Duration;
import java.time.InstantSource;

/** Makes jobs end, whatever is left of those who supervise them. */
public final class JobEnd {
  private final JobStore store;
  private final RunnerControl runners;
  private final InstantSource clock;

  public JobEnd(JobStore store, RunnerControl runners, InstantSource clock) {
    this.store = store;
    this.runners = runners;
    this.clock = clock;
  }

  public void request(String attemptId, State state, Duration grace, ExitReason reason) {
    JobDirectory directory = store.directory(attemptId);
    switch (state) {
      case Absent _, Exited _ -> {}
      case Lost _ -> runners.sweep(directory);
      case Prepared _, Running _ -> {
        long hundredths = ShellText.hundredths(grace.isNegative() ? Duration.ZERO : grace);
        if (directory
            .stopRequest()
            .filter(earlier -> earlier.graceHundredths() <= hundredths)
            .isEmpty()) {
          directory.requestStop(new JobDirectory.StopRequest(hundredths, reason));
        }
        // Whoever has the claim decides: we, and it never starts; or a runner, which looks for the
        // request by itself
        // after it has told its watcher's id, so that one of us sees the other.
        if (!refuse(attemptId, directory, reason, "")) {
          runners.wake(directory, reason);
        }
      }
    }
  }

  /** Takes the claim for nobody, so that the job never runs; false when a runner has it. */
  public boolean refuse(
      String attemptId, JobDirectory directory, ExitReason reason, String detail) {
    ExitRecord exit = ExitRecord.neverRan(reason, clock.instant());
    // Whoever looks between this and the next files must not see another end than afterwards.
    if (!directory.createOnce("runner", exit.asRefusal() + detail)) {
      return false;
    }
    if (!detail.isEmpty()) {
      directory.replace("failure", detail + "\n");
    }
    directory.replace("exit", exit.line());
    store.announce(attemptId);
    return true;
  }
}
