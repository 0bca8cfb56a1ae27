package dev.berth.hosts.access;

import java.util.Optional;

/**
 * Names a process for good: its number alone is given to another process sooner or later.
 *
 * @param startTicks when it started, in the kernel's count since boot
 */
public record ProcessIdentity(long pid, long startTicks) {

  /**
   * Reads {@code pid start} at the beginning of a line; empty when the line says something else, or
   * is cut short.
   */
  public static Optional<ProcessIdentity> parse(String line) {
    String[] words = line.strip().split(" ");
    if (words.length < 2 || !isNumber(words[0]) || !isNumber(words[1])) {
      return Optional.empty();
    }
    return Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1])));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 19
        && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
  }
}
