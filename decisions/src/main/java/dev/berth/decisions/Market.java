package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What can be bought, as it is known now.
 *
 * @param candidates the cheapest first
 * @param complete whether every backend that sells has answered at least once; before, whoever
 *     finds nothing waits
 * @param asOf when the backends were last asked; whoever came later waits for newer answers before
 *     giving up
 * @param failures offers that could not be had lately, by their keys, with the time until which
 *     nobody tries them again
 */
public record Market(
    List<Candidate> candidates, boolean complete, Instant asOf, Map<String, Instant> failures) {
  private static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.<Candidate>comparingDouble(candidate -> candidate.item().price())
          .thenComparing(Candidate::backend)
          .thenComparing(candidate -> candidate.item().region())
          .thenComparing(candidate -> candidate.item().instanceType())
          .thenComparing(candidate -> String.valueOf(candidate.item().zone()));

  /** Nobody sells anything. */
  public static final Market NONE = new Market(List.of(), true, Instant.MAX, Map.of());

  public Market {
    candidates = candidates.stream().sorted(CHEAPEST_FIRST).toList();
    failures = Map.copyOf(failures);
  }

  /** A market where nothing failed lately. */
  public Market(List<Candidate> candidates, boolean complete, Instant asOf) {
    this(candidates, complete, asOf, Map.of());
  }

  /** The same, after other failures. */
  public Market with(Map<String, Instant> newFailures) {
    return new Market(candidates, complete, asOf, newFailures);
  }

  /** The same, of some offers. */
  Market where(Predicate<Candidate> wanted) {
    return new Market(candidates.stream().filter(wanted).toList(), complete, asOf, failures);
  }

  /** Whether an offer could not be had so lately that it is not worth a try. */
  boolean isBarred(String key, Instant now) {
    Instant until = failures.get(key);
    return until != null && now.isBefore(until);
  }
}
