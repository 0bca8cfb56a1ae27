package dev.berth.hosts.jobdir;

/** How runners are reached. */
public interface RunnerControl {
  /** Makes a runner look at the file {@code stop} now. Silent where it has ended. */
  void wake(JobDirectory directory, ExitReason reason);

  /** Kills what is left of a job whose runner is gone, and waits for that. */
  void sweep(JobDirectory directory);
}
