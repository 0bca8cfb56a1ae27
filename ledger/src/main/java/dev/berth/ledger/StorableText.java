package dev.berth.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a value comes back from every database exactly as it was written.
 *
 * <p>Unpaired surrogates would be replaced when encoded as UTF-8, NUL is refused by PostgreSQL, and
 * order differs between Java and a database beyond ASCII: so what is compared or sorted is ASCII.
 */
final class StorableText {
  private static final int LONGEST = 500;

  private StorableText() {}

  /** Visible ASCII without spaces: kinds, ids, states, hashes. */
  static String identifier(String what, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(what + " is empty");
    }
    return identifierOrEmpty(what, value);
  }

  static String identifierOrEmpty(String what, String value) {
    requireShort(what, value);
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            what + " has a character that is not visible ASCII at position " + i);
      }
    }
    return value;
  }

  static @Nullable String identifierOrNull(String what, @Nullable String value) {
    return value == null ? null : identifier(what, value);
  }

  /** Short text that a person wrote, such as a name. */
  static String label(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " is blank");
    }
    requireShort(what, value);
    return exact(what, value);
  }

  /** Text of any length, for example JSON. */
  static String exact(String what, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == 0) {
        throw new IllegalArgumentException(what + " has a NUL at position " + i);
      }
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          throw new IllegalArgumentException(what + " has half a character at position " + i);
        }
        i++;
      }
    }
    return value;
  }

  /** The same time as the database keeps it: to the millisecond. */
  static Instant time(String what, Instant value) {
    try {
      return Instant.ofEpochMilli(value.toEpochMilli());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(what + " is too far away: " + value, e);
    }
  }

  static @Nullable Instant timeOrNull(String what, @Nullable Instant value) {
    return value == null ? null : time(what, value);
  }

  private static void requireShort(String what, String value) {
    if (value.length() > LONGEST) {
      throw new IllegalArgumentException(
          what + " has " + value.length() + " characters; at most " + LONGEST + " are kept");
    }
  }
}
