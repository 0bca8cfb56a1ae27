package dev.berth.backends.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the control groups of this process leave it: the lowest limit of its own group
 * and of those above, as far as they can be seen, of version 1 and 2.
 */
final class CgroupMemory {
  /** Version 1 writes "no limit" as the largest number of whole pages. */
  private static final long NO_LIMIT = Long.MAX_VALUE / 2;

  private CgroupMemory() {}

  /**
   * The limit in bytes; empty where there is none.
   *
   * @param system the root of the file system
   */
  static OptionalLong limit(Path system) {
    List<String> mounts = lines(system.resolve("proc/self/mountinfo"));
    List<String> memberships = lines(system.resolve("proc/self/cgroup"));
    return files(mounts, memberships).stream()
        .flatMap(file -> lines(system.resolve(file.substring(1))).stream().limit(1))
        .map(String::strip)
        .filter(text -> text.matches("[0-9]{1,18}"))
        .mapToLong(Long::parseLong)
        .filter(bytes -> bytes < NO_LIMIT)
        .min();
  }

  /** The files that may hold a limit, by the lines of {@code mountinfo} and {@code cgroup}. */
  static List<String> files(List<String> mountinfo, List<String> memberships) {
    List<String> files = new ArrayList<>();
    for (String line : mountinfo) {
      String[] halves = line.split(" - ", 2);
      String[] place = halves[0].split(" ");
      if (halves.length < 2 || place.length < 5) {
        continue;
      }
      String[] source = halves[1].split(" ");
      boolean unified = source[0].equals("cgroup2");
      boolean memory =
          source[0].equals("cgroup")
              && source.length > 2
              && Set.of(source[2].split(",")).contains("memory");
      if (unified || memory) {
        Optional<String> group = group(memberships, unified);
        group.ifPresent(
            own ->
                addUpwards(
                    files,
                    place[4],
                    below(place[3], own),
                    unified ? "memory.max" : "memory.limit_in_bytes"));
      }
    }
    return files;
  }

  private static Optional<String> group(List<String> memberships, boolean unified) {
    return memberships.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3)
        .filter(
            parts ->
                unified
                    ? parts[0].equals("0") && parts[1].isEmpty()
                    : List.of(parts[1].split(",")).contains("memory"))
        .map(parts -> parts[2])
        .findFirst();
  }

  /** The group's path under a mount; empty where the mount shows another part of the tree. */
  private static String below(String mountRoot, String group) {
    String prefix = mountRoot.equals("/") ? "" : mountRoot;
    boolean inside = group.startsWith(prefix + "/") && !group.contains("/..");
    return inside ? group.substring(prefix.length()) : "";
  }

  private static void addUpwards(List<String> files, String mount, String below, String name) {
    for (@Nullable Path path = Path.of(mount + below);
        path != null && path.startsWith(mount);
        path = path.getParent()) {
      files.add(path.resolve(name).toString());
    }
  }

  /** The lines of a file; none where it cannot be read, as for groups that we may not see. */
  private static List<String> lines(Path file) {
    try {
      return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }
}
