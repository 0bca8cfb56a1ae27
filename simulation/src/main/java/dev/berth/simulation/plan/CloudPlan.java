package dev.berth.simulation.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A simulated cloud, in the words of its configuration.
 *
 * @param jobs who runs jobs on its machines: {@code cloud} or {@code berth}
 * @param scenario all but the faults
 * @param faults what goes wrong there; each can be taken out of a plan by itself
 */
public record CloudPlan(
    String name,
    String identity,
    String gives,
    String jobs,
    long seed,
    Map<String, Object> scenario,
    List<Map<String, Object>> faults) {
  public CloudPlan {
    scenario = Collections.unmodifiableMap(new LinkedHashMap<>(scenario));
    faults =
        faults.stream()
            .map(fault -> Collections.unmodifiableMap(new LinkedHashMap<>(fault)))
            .toList();
  }

  /** The same without one of its faults. */
  public CloudPlan withoutFault(int index) {
    List<Map<String, Object>> fewer = new ArrayList<>(faults);
    fewer.remove(index);
    return new CloudPlan(name, identity, gives, jobs, seed, scenario, fewer);
  }

  /** The same, with machines on which Berth runs the jobs. */
  CloudPlan withJobsByBerth() {
    return new CloudPlan(name, identity, gives, "berth", seed, scenario, faults);
  }

  /** The same with more settings of its scenario and more faults. */
  CloudPlan with(Map<String, Object> settings, List<Map<String, Object>> moreFaults) {
    Map<String, Object> whole = new LinkedHashMap<>(scenario);
    whole.putAll(settings);
    List<Map<String, Object>> all = new ArrayList<>(faults);
    all.addAll(moreFaults);
    return new CloudPlan(name, identity, gives, jobs, seed, whole, all);
  }

  /** The configuration of the backend. */
  public Map<String, Object> configuration() {
    Map<String, Object> whole = new LinkedHashMap<>(scenario);
    whole.put("faults", faults);
    return Map.of(
        "identity",
        identity,
        "gives",
        gives,
        "jobs",
        jobs,
        "state",
        "memory",
        "seed",
        seed,
        "scenario",
        Collections.unmodifiableMap(whole));
  }
}
