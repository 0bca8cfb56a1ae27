package dev.berth.model;

import java.util.Collection;
import java.util.Locale;

/**
 * Patterns in which a star stands for any text, also for none, and all else for itself, in capital
 * letters or small ones.
 */
public final class Wildcards {
  private Wildcards() {}

  public static boolean anyMatches(Collection<String> patterns, String text) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, text));
  }

  /** Whether a pattern means a text. Takes at most as many steps as the product of both lengths. */
  public static boolean matches(String pattern, String text) {
    return matchesExactly(pattern.toLowerCase(Locale.ROOT), text.toLowerCase(Locale.ROOT));
  }

  /** The same where capital letters are others than small ones, as in paths. */
  public static boolean matchesExactly(String wanted, String given) {
    int at = 0;
    int star = -1;
    int resume = 0;
    int next = 0;
    while (next < given.length()) {
      if (at < wanted.length() && wanted.charAt(at) == '*') {
        star = at++;
        resume = next;
      } else if (at < wanted.length() && wanted.charAt(at) == given.charAt(next)) {
        at++;
        next++;
      } else if (star >= 0) {
        // The last star takes one more character.
        at = star + 1;
        next = ++resume;
      } else {
        return false;
      }
    }
    while (at < wanted.length() && wanted.charAt(at) == '*') {
      at++;
    }
    return at == wanted.length();
  }
}
