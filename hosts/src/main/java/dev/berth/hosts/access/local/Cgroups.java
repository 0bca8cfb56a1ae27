package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachinePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The control groups of this machine.
 *
 * <p>Groups are made only beneath this process's own group, so no job escapes a limit that the
 * server is under, and only where that group is ours to divide: it is the root of what we can see,
 * or belongs to our unprivileged user, or the administrator says so ({@link #delegated}). A group
 * that a service manager or another program made for us is left alone, even if root could write to
 * it.
 */
public final class Cgroups implements ControlGroups {
  /** From here on a cgroup of version 1 means that there is no limit. */
  private static final long NO_LIMIT = Long.MAX_VALUE >> 10;

  private final List<CgroupHierarchy> hierarchies;

  Cgroups(List<CgroupHierarchy> hierarchies) {
    this.hierarchies = List.copyOf(hierarchies);
  }

  /**
   * No groups: jobs are found by session and by a mark in their environment, and limits are not
   * enforced.
   */
  public static Cgroups none() {
    return new Cgroups(List.of());
  }

  /** What this machine permits; nothing where it has no cgroups. Reads {@code /proc} once. */
  public static Cgroups detect() {
    return new Cgroups(
        CgroupHierarchy.ofThisProcess().stream().filter(CgroupHierarchy::isOurs).toList());
  }

  /**
   * All groups that we can write to, because the administrator gave them to us, as with systemd's
   * {@code Delegate}.
   */
  public static Cgroups delegated() {
    return new Cgroups(
        CgroupHierarchy.ofThisProcess().stream()
            .filter(hierarchy -> Files.isWritable(hierarchy.own()))
            .toList());
  }

  @Override
  public Placement place(String name, @Nullable Double cpus, @Nullable Long memoryBytes) {
    List<Path> groups = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    Path tracking = track(name, groups, warnings);
    boolean limited = false;
    if (cpus != null) {
      limited |=
          limit(name, "cpu", groups, warnings, (group, unified) -> limitCpu(group, unified, cpus));
    }
    if (memoryBytes != null) {
      limited |=
          limit(
              name,
              "memory",
              groups,
              warnings,
              (group, unified) -> limitMemory(group, unified, memoryBytes));
    }
    return new Placement(
        groups.stream().map(Cgroups::machinePath).toList(),
        tracking == null ? null : machinePath(tracking),
        limited,
        warnings);
  }

  private static MachinePath machinePath(Path path) {
    return MachinePath.of(path.toString());
  }

  @Override
  public void remove(List<MachinePath> groups) {
    for (MachinePath group : groups) {
      try {
        Files.deleteIfExists(Path.of(group.text()));
      } catch (IOException busy) {
        throw new HostException(
            HostException.Code.NOT_KILLED, "the cgroup " + group + " cannot be removed", busy);
      }
    }
  }

  @Override
  public OptionalLong memoryLimit(List<MachinePath> groups) {
    for (MachinePath group : groups) {
      for (String name : List.of("memory.max", "memory.limit_in_bytes")) {
        OptionalLong limit = number(Path.of(group.text()).resolve(name));
        if (limit.isPresent() && limit.getAsLong() < NO_LIMIT) {
          return limit;
        }
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong number(Path file) {
    if (Files.notExists(file)) {
      return OptionalLong.empty();
    }
    try {
      String text = Files.readString(file).strip();
      return text.matches("[0-9]{1,18}")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (NoSuchFileException gone) {
      return OptionalLong.empty();
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the limit " + file + " is not readable", failure);
    }
  }

  private @Nullable Path track(String name, List<Path> groups, List<String> warnings) {
    Optional<CgroupHierarchy> hierarchy =
        hierarchies.stream()
            .filter(CgroupHierarchy::unified)
            .findFirst()
            .or(() -> find("pids"))
            .or(() -> find("freezer"));
    if (hierarchy.isEmpty()) {
      return null;
    }
    try {
      Path group = hierarchy.get().group(name);
      Files.createDirectories(group);
      groups.add(group);
      return group;
    } catch (IOException refused) {
      warnings.add("no cgroup tracks the job's processes: " + refused);
      return null;
    }
  }

  private Optional<CgroupHierarchy> find(String controller) {
    return hierarchies.stream()
        .filter(hierarchy -> hierarchy.controllers().contains(controller))
        .findFirst();
  }

  private interface Limit {
    void write(Path group, boolean unified) throws IOException;
  }

  private boolean limit(
      String name, String controller, List<Path> groups, List<String> warnings, Limit limit) {
    Optional<CgroupHierarchy> hierarchy = find(controller);
    if (hierarchy.isEmpty()) {
      warnings.add(
          "the %s limit is not enforced: no %s cgroup is ours to divide"
              .formatted(controller, controller));
      return false;
    }
    try {
      Path group = hierarchy.get().group(name);
      Files.createDirectories(group);
      hierarchy.get().enable(controller);
      limit.write(group, hierarchy.get().unified());
      if (!groups.contains(group)) {
        groups.add(group);
      }
      return true;
    } catch (IOException refused) {
      warnings.add("the %s limit is not enforced: %s".formatted(controller, refused));
      return false;
    }
  }

  private static void limitCpu(Path group, boolean unified, double cpus) throws IOException {
    // The kernel takes no quota below a millisecond.
    long quota = Math.max(1_000, Math.round(cpus * 100_000));
    if (unified) {
      Files.writeString(group.resolve("cpu.max"), String.format(Locale.ROOT, "%d 100000", quota));
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), "100000");
      Files.writeString(group.resolve("cpu.cfs_quota_us"), String.valueOf(quota));
    }
  }

  private static void limitMemory(Path group, boolean unified, long bytes) throws IOException {
    Files.writeString(
        group.resolve(unified ? "memory.max" : "memory.limit_in_bytes"), String.valueOf(bytes));
    // Swap counts as memory, where the kernel keeps account of it.
    Path swap = group.resolve(unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
    if (Files.exists(swap)) {
      Files.writeString(swap, unified ? "0" : String.valueOf(bytes));
    }
  }
}
