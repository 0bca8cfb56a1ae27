package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws what is told late: reads that lag, requests that are refused after they were accepted,
 * notices long before an interruption, machines that are not listed for a while, slow look-ups. By
 * dice of their own, so that everything else is as it was before there were these choices.
 */
final class LateAnswers {
  private static final Duration LONGEST_WORK = Duration.ofMinutes(6);
  private static final Duration SHORTEST_ABSENCE = Duration.ofSeconds(30);
  private static final Duration LONGEST_ABSENCE = Duration.ofMinutes(4);

  /** Jobs on a machine that does not answer are not seen to end, which must not take long. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  private final long seed;
  private final Set<Choice> choices;

  LateAnswers(long seed, Set<Choice> choices) {
    this.seed = seed;
    this.choices = choices;
  }

  List<CloudPlan> draw(List<CloudPlan> clouds) {
    Dice dice = Dice.of(seed, "late answers");
    return clouds.stream().map(cloud -> draw(cloud, dice)).toList();
  }

  private CloudPlan draw(CloudPlan cloud, Dice dice) {
    List<Map<String, Object>> faults = new ArrayList<>();
    Map<String, Object> settings = new LinkedHashMap<>();
    boolean lags = dice.chance(0.4);
    Map<String, Object> lag = fault("lagging_describe", dice.share(0.3, 1), dice.between(1, 60));
    if (lags && choices.contains(Choice.LAGGING_READS)) {
      faults.add(lag);
    }
    boolean refuses = dice.chance(0.3);
    Map<String, Object> refusal = fault("late_refusal", dice.share(0.1, 0.6), dice.between(1, 30));
    refusal.put("reason", dice.oneOf(List.of("no_capacity", "quota", "other")));
    if (refuses && choices.contains(Choice.LATE_REFUSALS)) {
      faults.add(refusal);
    }
    boolean limited = dice.chance(0.15);
    Map<String, Object> launches =
        Map.of("every", dice.between(1, 15) + "s", "burst", dice.between(1, 3));
    if (limited && choices.contains(Choice.LAUNCH_LIMITS)) {
      settings.put("launches", launches);
    }
    boolean warns = dice.chance(0.3);
    Map<String, Object> kill =
        Map.of("per_hour", dice.between(5, 20), "notice", dice.between(2, 8) + "m");
    if (warns && choices.contains(Choice.LONG_NOTICES)) {
      settings.put("spot", Map.of("kills", List.of(kill)));
    }
    return cloud.with(settings, faults);
  }

  private static Map<String, Object> fault(String kind, double probability, int seconds) {
    Map<String, Object> fault = new LinkedHashMap<>();
    fault.put("kind", kind);
    fault.put("probability", probability);
    fault.put("lasts", seconds + "s");
    return fault;
  }

  List<Trouble> troubles() {
    List<Trouble> troubles = new ArrayList<>();
    if (choices.contains(Choice.HOSTS_COME_AND_GO)) {
      Dice dice = Dice.of(seed, "hosts come and go");
      for (int i = dice.chance(0.4) ? dice.between(1, 2) : 0; i > 0; i--) {
        Duration from = dice.between(Duration.ZERO, LONGEST_WORK);
        boolean silent = dice.chance(0.5);
        Duration away = dice.between(SHORTEST_ABSENCE, silent ? LONGEST_SILENCE : LONGEST_ABSENCE);
        troubles.add(new Trouble.HostAway(from, from.plus(away), silent));
      }
    }
    if (choices.contains(Choice.SLOW_OFFERS)) {
      Dice dice = Dice.of(seed, "slow offers");
      for (int i = dice.chance(0.4) ? dice.between(1, 6) : 0; i > 0; i--) {
        troubles.add(
            new Trouble.SlowOffers(
                dice.between(1, 40), dice.between(Duration.ofMillis(100), Duration.ofSeconds(30))));
      }
    }
    return troubles;
  }
}
