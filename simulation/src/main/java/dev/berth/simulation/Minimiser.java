package dev.berth.simulation;

import dev.berth.simulation.plan.CloudPlan;
import dev.berth.simulation.plan.Plan;
import dev.berth.simulation.plan.Trouble;
import dev.berth.simulation.plan.WorkStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes a plan that goes wrong as short as it can: takes out work, trouble and faults, in halves
 * and then one by one, as long as the same invariant still does not hold.
 */
public final class Minimiser {
  private final Function<Plan, Outcome> live;
  private final int mostLives;
  private int lives;

  /**
   * A minimiser.
   *
   * @param live lives a plan
   * @param mostLives so many plans are lived at most, then the shortest so far is given back
   */
  public Minimiser(Function<Plan, Outcome> live, int mostLives) {
    this.live = live;
    this.mostLives = mostLives;
  }

  /** The outcome of the shortest plan that goes wrong in the same way. */
  public Outcome minimise(Outcome violated) {
    Outcome best = violated;
    int before;
    do {
      before = best.plan().size();
      best = shorten(best, best.plan().work(), (plan, work) -> plan.with(work, plan.troubles()));
      best =
          shorten(
              best, best.plan().troubles(), (plan, troubles) -> plan.with(plan.work(), troubles));
      best = withoutFaults(best);
    } while (best.plan().size() < before && lives < mostLives);
    return best;
  }

  private interface Change<T> {
    Plan apply(Plan plan, List<T> fewer);
  }

  private <T> Outcome shorten(Outcome violated, List<T> all, Change<T> change) {
    Outcome best = violated;
    List<T> left = new ArrayList<>(all);
    for (int size = Math.max(1, left.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < left.size() && lives < mostLives; ) {
        List<T> fewer = new ArrayList<>(left);
        fewer.subList(from, Math.min(from + size, left.size())).clear();
        Optional<Outcome> tried = attempt(best, change.apply(best.plan(), fewer));
        if (tried.isEmpty()) {
          from += size;
        } else {
          best = tried.get();
          left = fewer;
        }
      }
    }
    return best;
  }

  private Outcome withoutFaults(Outcome violated) {
    Outcome best = violated;
    for (int cloud = 0; cloud < violated.plan().clouds().size(); cloud++) {
      for (int fault = best.plan().clouds().get(cloud).faults().size() - 1; fault >= 0; fault--) {
        List<CloudPlan> clouds = new ArrayList<>(best.plan().clouds());
        clouds.set(cloud, clouds.get(cloud).withoutFault(fault));
        best = attempt(best, best.plan().withClouds(clouds)).orElse(best);
      }
    }
    return best;
  }

  /** The outcome of a shorter plan, where it goes wrong in the same way. */
  private Optional<Outcome> attempt(Outcome best, Plan shorter) {
    if (lives >= mostLives) {
      return Optional.empty();
    }
    lives++;
    return Optional.of(live.apply(shorter))
        .filter(tried -> tried.invariant().equals(best.invariant()));
  }

  /** What is left of a plan, for people to read. */
  public static String describe(Plan plan) {
    List<String> lines = new ArrayList<>();
    for (CloudPlan cloud : plan.clouds()) {
      lines.add(
          "cloud %s (%s): %s %s"
              .formatted(cloud.name(), cloud.identity(), cloud.scenario(), cloud.faults()));
    }
    lines.add("host: " + plan.host());
    for (WorkStep step : plan.work()) {
      lines.add("work: " + step);
    }
    for (Trouble trouble : plan.troubles()) {
      lines.add("trouble: " + trouble);
    }
    return String.join("\n", lines);
  }
}
