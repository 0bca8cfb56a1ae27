package dev.berth.decisions;

import dev.berth.model.Candidate;
import java.time.Duration;

/** What providers of tests can do. */
final class Offers {
  static final Candidate.Abilities CONTAINERS =
      new Candidate.Abilities(false, false, false, false, false, Duration.ofMinutes(10));
  static final Candidate.Abilities MACHINES =
      new Candidate.Abilities(true, true, true, true, true, Duration.ofMinutes(10));

  private Offers() {}
}
