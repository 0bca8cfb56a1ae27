package dev.berth.hosts.access;

import dev.berth.hosts.HostException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A POSIX path on a machine, absolute or relative. It has no file system: the same text means
 * another file on another machine.
 *
 * @param text without doubled slashes and without one at the end; empty for the relative path that
 *     leads nowhere
 */
public record MachinePath(String text) implements Comparable<MachinePath> {
  public static final MachinePath ROOT = new MachinePath("/");

  public MachinePath {
    if (text.indexOf('\0') >= 0) {
      throw new HostException(
          HostException.Code.INVALID,
          "the path '%s' cannot exist on any machine: it contains a NUL byte"
              .formatted(text.replace('\0', '?')));
    }
    text = tidy(text);
  }

  private static String tidy(String text) {
    String single = text.contains("//") ? text.replaceAll("/+", "/") : text;
    return single.length() > 1 && single.endsWith("/")
        ? single.substring(0, single.length() - 1)
        : single;
  }

  /** The path with this text. INVALID where no machine can have it. */
  public static MachinePath of(String text) {
    return new MachinePath(text);
  }

  public boolean isAbsolute() {
    return text.startsWith("/");
  }

  /** What another path means when it is read in this folder; an absolute one means itself. */
  public MachinePath resolve(MachinePath other) {
    if (other.isAbsolute() || text.isEmpty()) {
      return other;
    }
    return other.text.isEmpty() ? this : new MachinePath(text + "/" + other.text);
  }

  public MachinePath resolve(String other) {
    return resolve(new MachinePath(other));
  }

  /** Another name in the same folder. */
  public MachinePath sibling(String name) {
    return parent().resolve(name);
  }

  /** The last part; empty for the root. */
  public String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /** The folder that it is in: the root is in itself, a single name in the empty path. */
  public MachinePath parent() {
    int slash = text.lastIndexOf('/');
    if (slash == 0) {
      return ROOT;
    }
    return new MachinePath(slash < 0 ? "" : text.substring(0, slash));
  }

  /** Without {@code .} and, as far as the path itself tells, {@code ..}. Asks no machine. */
  public MachinePath normalized() {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : text.split("/")) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (part.equals("..") ? !isAbsolute() : !part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return new MachinePath((isAbsolute() ? "/" : "") + String.join("/", parts));
  }

  /** Whether it is the same as another one, or below it. Compares whole names; asks no machine. */
  public boolean startsWith(MachinePath other) {
    return text.equals(other.text)
        || text.startsWith(other.text.endsWith("/") ? other.text : other.text + "/");
  }

  @Override
  public int compareTo(MachinePath other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
