package dev.berth.decisions;

import dev.berth.model.Placement;
import dev.berth.model.PolicyBound;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a run would be placed now, or why it would not be: the placement run again, with every
 * place and what keeps the run from it.
 *
 * @param place what it would be placed on, in words; null where it would not be
 * @param machines how many machines the backends have that the run allows
 * @param offers how many offers of these backends were looked at: all, but of large catalogs
 * @param rules what keeps the run from places, what keeps it from most of them alone first
 * @param remedies the smallest sets of what the run asks for, without which it would be placed
 */
public record Explanation(
    Verdict verdict,
    @Nullable String place,
    int machines,
    int offers,
    List<Rule> rules,
    List<Remedy> remedies) {
  public Explanation {
    rules = List.copyOf(rules);
    remedies = List.copyOf(remedies);
  }

  /** What would become of the run now. */
  public enum Verdict {
    /** It would get a place. */
    PLACEABLE,
    /** There are places that could take it, and do not now. */
    WAITS,
    /** No place could take it. */
    UNPLACEABLE,
    /** There is no machine, and nobody sells any. */
    NOTHING_THERE
  }

  /**
   * What is asked.
   *
   * @param run what is to be placed, where the server's policies let it be
   * @param waiting the search for a place that is under way; null where there is none
   */
  public record Question(String project, RunSpec run, @Nullable Placement waiting) {
    List<PolicyBound> bounds() {
      return run.first().wishes().bounds();
    }

    Set<String> tried() {
      return waiting == null ? Set.of() : new HashSet<>(waiting.tried());
    }
  }

  /**
   * Something that keeps the run from places.
   *
   * @param name a field of the file, or a word for what else is in the way
   * @param sentence what is asked for, or what is in the way
   * @param places from how many places it keeps the task
   * @param alone from how many of them nothing else does
   * @param nearest the place that comes nearest, with what it has
   */
  public record Rule(String name, String sentence, int places, int alone, String nearest) {}

  /**
   * What would help.
   *
   * @param without what the run would have to do without
   * @param place where it would be placed then, in words
   */
  public record Remedy(Set<Constraint> without, String place) {
    public Remedy {
      without = Set.copyOf(without);
    }

    /** The fields of the file that say it. */
    public List<String> fields(RunSpec run) {
      Set<Constraint> gpu = new HashSet<>(Constraint.of(run));
      gpu.retainAll(Constraint.GPU);
      boolean whole = !gpu.isEmpty() && without.containsAll(gpu);
      Set<String> fields = new LinkedHashSet<>();
      without.stream()
          .sorted()
          .forEach(
              constraint ->
                  fields.add(
                      whole && Constraint.GPU.contains(constraint)
                          ? "resources.gpu"
                          : constraint.path()));
      return List.copyOf(fields);
    }
  }

  /** So many sets are tried out to find the smallest that help. */
  private static final int MOST_TRIALS = 300;

  /** So many of equal size are told. */
  private static final int MOST_REMEDIES = 5;

  /** What is asked of offers to explain this, to be looked up before. Pure. */
  public static List<OfferRequirement> requirements(Question question) {
    return KnownOffers.requirements(question);
  }

  /** Explains what would become of a run now. Pure: nothing of it happens. */
  public static Explanation of(View view, OfferView offers, Question question, Instant now) {
    KnownOffers known = new KnownOffers(offers, question);
    DryRun dryRun = new DryRun(view, known, question, now);
    DryRun.Result result = dryRun.of(question.run());
    Tracing tracing = new Tracing(view, known, question, now);
    List<List<Traced>> byNode = tracing.trace(question.run(), result.outcome());
    List<Traced> all = best(byNode);
    // The others are in no way wrong, and only a remedy can bring them in.
    List<Traced> places =
        all.stream().filter(place -> tracing.isAtBackendOf(question.run(), place)).toList();
    int machines = (int) places.stream().filter(place -> place.machine() != null).count();
    int sold = places.size() - machines;
    Verdict verdict =
        switch (result.outcome()) {
          case PLACED -> Verdict.PLACEABLE;
          case WAITS -> all.isEmpty() ? Verdict.NOTHING_THERE : Verdict.WAITS;
          case NOTHING -> Verdict.UNPLACEABLE;
        };
    return new Explanation(
        verdict,
        result.place(),
        machines,
        sold,
        TracedRules.of(places, question.run()),
        result.outcome() == DryRun.Outcome.PLACED
            ? List.of()
            : remedies(dryRun, byNode, question.run()));
  }

  /** Each place as the node sees it that it has least against. */
  private static List<Traced> best(List<List<Traced>> byNode) {
    List<Traced> best = new ArrayList<>(byNode.getFirst());
    for (List<Traced> node : byNode) {
      for (int i = 0; i < best.size(); i++) {
        if (node.get(i).count() < best.get(i).count()) {
          best.set(i, node.get(i));
        }
      }
    }
    return best;
  }

  private static List<Remedy> remedies(DryRun dryRun, List<List<Traced>> byNode, RunSpec run) {
    List<Remedy> found = new ArrayList<>();
    int size = Integer.MAX_VALUE;
    int tried = 0;
    for (Set<Constraint> without : candidates(byNode, run)) {
      if (without.size() > size || found.size() >= MOST_REMEDIES || tried++ >= MOST_TRIALS) {
        break;
      }
      DryRun.Result result = dryRun.of(Relaxation.of(run, without));
      if (result.outcome() == DryRun.Outcome.PLACED) {
        found.add(new Remedy(without, String.valueOf(result.place())));
        size = without.size();
      }
    }
    return found;
  }

  /** What keeps the run from one place, or two nodes of it from two; the smallest sets first. */
  private static List<Set<Constraint>> candidates(List<List<Traced>> byNode, RunSpec run) {
    Set<Set<Constraint>> sets = new LinkedHashSet<>();
    byNode.forEach(node -> node.forEach(place -> sets.add(Set.copyOf(place.failed()))));
    List<Set<Constraint>> single = List.copyOf(sets);
    if (byNode.size() > 1) {
      for (Set<Constraint> one : single) {
        for (Set<Constraint> other : single) {
          sets.add(union(one, other));
        }
      }
    }
    if (run.nodes().size() > 1) {
      List.copyOf(sets).forEach(set -> sets.add(union(set, Set.of(Constraint.NODES))));
    }
    return sets.stream()
        .filter(set -> !set.isEmpty())
        .sorted(Comparator.comparingInt(Set::size))
        .toList();
  }

  private static Set<Constraint> union(Set<Constraint> one, Set<Constraint> other) {
    Set<Constraint> all = new HashSet<>(one);
    all.addAll(other);
    return Set.copyOf(all);
  }
}
