package dev.berth.server;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/**
 * Names and ids for runs and fleets, and ids for tokens. Ids sort by the time at which they were
 * made, so that who waits keeps its order over a restart.
 */
final class RunNames {
  private static final List<String> ADJECTIVES =
      List.of(
          "brave", "bright", "calm", "clever", "cosy", "eager", "fair", "fresh", "gentle", "happy",
          "keen", "kind", "lively", "merry", "neat", "proud", "quick", "quiet", "sharp", "warm");
  private static final List<String> ANIMALS =
      List.of(
          "badger", "crab", "crane", "dolphin", "eel", "falcon", "gull", "heron", "ibis", "lark",
          "lynx", "marten", "newt", "otter", "owl", "puffin", "raven", "seal", "tern", "whale");
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  /** Numbers in names are up to this, as long as names are not scarce. */
  static final int USUAL_NUMBERS = 999;

  private final SecureRandom random = new SecureRandom();
  private final InstantSource clock;

  /** The newest id's place in time; guarded by this. */
  private long last;

  RunNames(InstantSource clock) {
    this.clock = clock;
  }

  /** Two words and a number up to the given one. */
  String randomName(int mostNumber) {
    return ADJECTIVES.get(random.nextInt(ADJECTIVES.size()))
        + "-"
        + ANIMALS.get(random.nextInt(ANIMALS.size()))
        + "-"
        + (1 + random.nextInt(mostNumber));
  }

  String newRunId() {
    return newId('r');
  }

  String newFleetId() {
    return newId('f');
  }

  String newTokenId() {
    return newId('t');
  }

  private synchronized String newId(char kind) {
    // Twelve bits below the millisecond keep ids of one millisecond in order.
    last = Math.max(last + 1, clock.millis() << 12);
    StringBuilder id = new StringBuilder().append(kind);
    for (int shift = 60; shift >= 0; shift -= 5) {
      id.append(DIGITS.charAt((int) (last >>> shift) & 31));
    }
    for (int i = 0; i < 6; i++) {
      id.append(DIGITS.charAt(random.nextInt(32)));
    }
    return id.toString();
  }
}
