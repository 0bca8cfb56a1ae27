package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.List;

/**
 * One simulated life: the world, what users do, and what goes wrong. Nothing else decides how it
 * goes, so the same plan always gives the same trace.
 *
 * @param seed where it came from; also chooses which of several steps comes first
 * @param lateCalls whether calls of a server that died still reach the provider
 * @param rest for how long after the last work whatever runs may run on
 */
public record Plan(
    long seed,
    List<CloudPlan> clouds,
    HostPlan host,
    List<WorkStep> work,
    List<Trouble> troubles,
    boolean lateCalls,
    Duration rest) {
  public Plan {
    clouds = List.copyOf(clouds);
    work = List.copyOf(work);
    troubles = List.copyOf(troubles);
  }

  public Plan with(List<WorkStep> newWork, List<Trouble> newTroubles) {
    return new Plan(seed, clouds, host, newWork, newTroubles, lateCalls, rest);
  }

  public Plan withClouds(List<CloudPlan> newClouds) {
    return new Plan(seed, newClouds, host, work, troubles, lateCalls, rest);
  }

  /** How much there is in it that could be left out. */
  public int size() {
    return work.size()
        + troubles.size()
        + clouds.stream().mapToInt(cloud -> cloud.faults().size()).sum();
  }
}
