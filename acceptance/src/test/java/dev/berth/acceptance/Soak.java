package dev.berth.acceptance;

/**
 * How often tests repeat what they do: a little in a build, as often as was asked for in a soak.
 */
final class Soak {
  private Soak() {}

  /** So many rounds: those that were asked for in a soak, else a few. */
  static int rounds(int inVerify) {
    String asked = System.getProperty("berth.soak", "").strip();
    return asked.isEmpty() ? inVerify : Integer.parseInt(asked);
  }

  /** A count that grows with the rounds of a soak, and is never smaller than in a build. */
  static int count(int inVerify, double perRound) {
    return Math.max(inVerify, (int) (rounds(0) * perRound));
  }
}
