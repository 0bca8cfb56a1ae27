package dev.berth.hosts.access;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Whether exactly this process is there and has not ended. A zombie has ended. */
  public boolean isAlive() {
    String stat;
    try {
      stat =
          Files.readString(
              Path.of("/proc", String.valueOf(pid), "stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      // The file is missing, or the process ended while it was read: both mean what is asked.
      return false;
    }
    // The name in parentheses may contain anything, so fields are counted after the last one.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return fields.length > 19
        && !fields[0].equals("Z")
        && !fields[0].equals("X")
        && fields[19].equals(String.valueOf(startTicks));
  }

  /**
   * What differs after every start of the machine, so that numbers of an earlier one are not
   * believed.
   */
  public static String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "/proc is not readable, and jobs cannot be supervised without it",
          failure);
    }
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 19
        && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
  }
}
