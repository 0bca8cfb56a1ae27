package dev.berth.simulation.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Draws the clouds of a plan, each with what it sells and what goes wrong there. */
final class Clouds {
  private static final int MOST_CLOUDS = 3;

  private final Dice dice;
  private final Set<Choice> choices;

  Clouds(Dice dice, Set<Choice> choices) {
    this.dice = dice;
    this.choices = choices;
  }

  List<CloudPlan> draw() {
    List<CloudPlan> clouds = new ArrayList<>();
    int count = dice.between(1, MOST_CLOUDS);
    for (int i = 1; i <= count; i++) {
      clouds.add(cloud("cloud-" + i));
    }
    return clouds;
  }

  private CloudPlan cloud(String name) {
    List<String> identities = new ArrayList<>(List.of("token", "unique_name"));
    if (choices.contains(Choice.LOOKUP)) {
      identities.add("lookup");
    }
    boolean machines = choices.contains(Choice.MACHINES) && dice.chance(0.5);
    return new CloudPlan(
        name,
        dice.oneOf(identities),
        machines ? "machines" : "containers",
        "cloud",
        dice.next(),
        scenario(),
        faults());
  }

  private Map<String, Object> scenario() {
    Map<String, Object> scenario = new LinkedHashMap<>();
    List<String> zones = dice.chance(0.5) ? List.of("north-a") : List.of("north-a", "north-b");
    scenario.put("regions", List.of(Map.of("name", "north", "zones", zones)));
    scenario.put("instance_types", types());
    scenario.put("boot_time", dice.between(0, 20) + "s");
    scenario.put("delete_time", dice.between(0, 10) + "s");
    scenario.put("visible_within", dice.between(0, 5) + "s");
    scenario.put("call_deadline", dice.between(1, 10) + "s");
    if (dice.chance(0.3)) {
      scenario.put("quotas", List.of(Map.of("instances", dice.between(1, 4))));
    }
    if (dice.chance(0.3)) {
      scenario.put("stock", List.of(Map.of("count", dice.between(0, 2), "until", "5m")));
    }
    if (dice.chance(0.3)) {
      scenario.put(
          "spot",
          Map.of("kills", List.of(Map.of("per_hour", dice.between(10, 120), "notice", "5s"))));
    }
    if (choices.contains(Choice.WRONG_CLOCKS) && dice.chance(0.2)) {
      scenario.put(dice.chance(0.5) ? "clock_ahead" : "clock_behind", dice.between(1, 90) + "s");
    }
    if (dice.chance(0.1)) {
      scenario.put("queue", true);
    }
    if (dice.chance(0.2)) {
      scenario.put("foreign", dice.between(1, 2));
    }
    return scenario;
  }

  private List<Map<String, Object>> types() {
    List<Map<String, Object>> types = new ArrayList<>();
    for (int size = 2; size <= 8; size *= 2) {
      types.add(
          Map.of(
              "name",
              "cpu-" + size,
              "cpus",
              size,
              "memory",
              size * 4 + "GB",
              "disk",
              "200GB",
              "price",
              size * dice.between(30, 50) / 1000.0,
              "spot_price",
              size * dice.between(10, 20) / 1000.0));
    }
    return types;
  }

  private List<Map<String, Object>> faults() {
    List<String> kinds =
        new ArrayList<>(
            List.of(
                "timeout_though_created",
                "error_though_created",
                "error",
                "created_twice",
                "lagging_list",
                "stale_list",
                "rate_limited",
                "quota",
                "no_capacity",
                "lost_delete",
                "slow_delete"));
    if (choices.contains(Choice.UNREACHABLE_HOSTS)) {
      kinds.add("unreachable_host");
    }
    List<Map<String, Object>> faults = new ArrayList<>();
    for (int i = dice.between(0, 4); i > 0; i--) {
      Map<String, Object> fault = new LinkedHashMap<>();
      fault.put("kind", dice.oneOf(kinds));
      fault.put("probability", dice.share(0.02, 0.4));
      fault.put("lasts", dice.between(1, 30) + "s");
      if (dice.chance(0.3)) {
        fault.put("until", dice.between(1, 10) + "m");
      }
      faults.add(fault);
    }
    return faults;
  }
}
