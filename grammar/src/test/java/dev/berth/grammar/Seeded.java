package dev.berth.grammar;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Random values for one round of a check. The seed is printed, and {@code -Dberth.seed=N} repeats
 * it.
 */
final class Seeded {
  private static final String GARBAGE =
      " .:,-+/*=_~0123456789eEaAxXgGmMtTbBsShHdDwW$%{}[]\"'\\\n\té😀";
  private final Random random;

  private Seeded(Random random) {
    this.random = random;
  }

  /** Runs the check so many times, and says with which seed it failed. */
  static void repeat(String what, int rounds, Consumer<Seeded> check) {
    Long given = Long.getLong("berth.seed");
    long seed = given == null ? new SecureRandom().nextLong() : given;
    System.out.println("seed of " + what + ": " + seed);
    Seeded values = new Seeded(new Random(seed));
    for (int round = 0; round < rounds; round++) {
      try {
        check.accept(values);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            what + " failed in round " + round + "; repeat with -Dberth.seed=" + seed, e);
      }
    }
  }

  int from(int min, int max) {
    return random.nextInt(min, max + 1);
  }

  boolean coin() {
    return random.nextBoolean();
  }

  <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  <T> List<T> shuffled(List<T> values) {
    List<T> copy = new ArrayList<>(values);
    Collections.shuffle(copy, random);
    return copy;
  }

  String spaces() {
    return " ".repeat(random.nextInt(4) == 0 ? from(1, 2) : 0);
  }

  /** Each letter in upper or lower case. */
  String anyCase(String word) {
    StringBuilder result = new StringBuilder();
    for (char c : word.toCharArray()) {
      result.append(coin() ? Character.toUpperCase(c) : Character.toLowerCase(c));
    }
    return result.toString();
  }

  /** Text that nobody means anything by, made of the characters that our grammars look at. */
  String garbage() {
    StringBuilder text = new StringBuilder();
    int length = from(0, 12);
    int[] characters = GARBAGE.codePoints().toArray();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }
}
