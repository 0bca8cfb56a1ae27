package dev.berth.decisions;

import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups places by what keeps a run from them. */
final class TracedRules {
  private final List<Traced> places;
  private final RunSpec run;

  private TracedRules(List<Traced> places, RunSpec run) {
    this.places = places;
    this.run = run;
  }

  /** What keeps the run from most places alone comes first. */
  static List<Explanation.Rule> of(List<Traced> places, RunSpec run) {
    return new TracedRules(places, run).rules();
  }

  private List<Explanation.Rule> rules() {
    List<Explanation.Rule> rules = new ArrayList<>();
    for (Constraint constraint : Constraint.values()) {
      List<Traced> kept =
          places.stream().filter(place -> place.failed().contains(constraint)).toList();
      if (!kept.isEmpty()) {
        rules.add(rule(constraint, kept));
      }
    }
    for (Obstacle obstacle : Obstacle.values()) {
      List<Traced> kept =
          places.stream().filter(place -> place.obstacles().contains(obstacle)).toList();
      if (!kept.isEmpty()) {
        Traced nearest = nearest(kept, Comparator.comparingDouble(Traced::price));
        rules.add(
            new Explanation.Rule(
                obstacle.word(),
                obstacle.sentence(),
                kept.size(),
                alone(kept),
                Wording.name(nearest)));
      }
    }
    rules.sort(
        Comparator.comparingInt(Explanation.Rule::alone)
            .thenComparingInt(Explanation.Rule::places)
            .reversed());
    return rules;
  }

  private Explanation.Rule rule(Constraint constraint, List<Traced> kept) {
    Traced nearest =
        nearest(
            kept,
            Comparator.<Traced>comparingDouble(place -> distance(constraint, place))
                .thenComparingDouble(Traced::price));
    String has = Wording.has(constraint, nearest);
    return new Explanation.Rule(
        constraint.path(),
        Wording.asked(constraint, run),
        kept.size(),
        alone(kept),
        Wording.name(nearest) + (has.isEmpty() ? "" : ": " + has));
  }

  private static int alone(List<Traced> kept) {
    return (int) kept.stream().filter(place -> place.count() == 1).count();
  }

  private static Traced nearest(List<Traced> kept, Comparator<Traced> then) {
    return kept.stream()
        .min(Comparator.comparingInt(Traced::count).thenComparing(then))
        .orElseThrow();
  }

  /** How far what a place has is from what is asked for; 0 where that cannot be measured. */
  private double distance(Constraint constraint, Traced place) {
    OfferFilter asked = run.first().wishes().filter();
    Range<Integer> cpus = asked.cpus();
    Range<Long> memory = asked.memoryMib();
    if (constraint == Constraint.CPUS && cpus != null) {
      return outside(cpus.min(), cpus.max(), Wording.cpus(place));
    }
    if (constraint == Constraint.MEMORY && memory != null) {
      return outside(memory.min(), memory.max(), (double) Wording.memory(place));
    }
    return 0;
  }

  private static double outside(@Nullable Number min, @Nullable Number max, double value) {
    if (min != null && value < min.doubleValue()) {
      return min.doubleValue() - value;
    }
    return max != null && value > max.doubleValue() ? value - max.doubleValue() : 0;
  }
}
