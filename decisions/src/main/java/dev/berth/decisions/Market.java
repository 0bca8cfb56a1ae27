package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What can be bought, as it is known now.
 *
 * @param candidates the cheapest first
 * @param complete whether every backend that sells has answered at least once; before, whoever
 *     finds nothing waits
 * @param asOf when the backends were last asked; whoever came later waits for newer answers before
 *     giving up
 */
public record Market(List<Candidate> candidates, boolean complete, Instant asOf) {
  private static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.<Candidate>comparingDouble(candidate -> candidate.item().price())
          .thenComparing(Candidate::backend)
          .thenComparing(candidate -> candidate.item().region())
          .thenComparing(candidate -> candidate.item().instanceType())
          .thenComparing(candidate -> String.valueOf(candidate.item().zone()));

  /** Nobody sells anything. */
  public static final Market NONE = new Market(List.of(), true, Instant.MAX);

  public Market {
    candidates = candidates.stream().sorted(CHEAPEST_FIRST).toList();
  }
}
