package dev.berth.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** How busy the accelerators of jobs are. */
public interface GpuMetrics {
  /**
   * How busy each accelerator of each job is now: a percentage from 0 to 100 for each of them, in
   * an order that stays the same as long as the job runs. A job that does not run, is not known,
   * has no accelerator, or of which one cannot be measured now, has no entry, and does not keep
   * others from theirs: a job may be ended for what is told here, so nothing is guessed. Changes
   * nothing, and may be asked again at any time; at most a minute.
   *
   * @throws BackendException.Unauthorised where the credentials are not accepted any more
   * @throws BackendException.RateLimited where it is asked too often
   * @throws BackendException.Transient where nothing can be measured now
   */
  Map<String, List<Integer>> utilisation(List<Holder> jobs);

  /**
   * A job with the accelerators that it has.
   *
   * @param devices their ids, where Berth gave it some of those that an instance has; empty where
   *     the job has all that its place has
   */
  record Holder(String attemptId, Set<String> devices) {
    public Holder {
      devices = Set.copyOf(devices);
    }
  }
}
