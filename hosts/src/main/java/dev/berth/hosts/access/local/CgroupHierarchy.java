package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One mounted tree of control groups: the unified one (version 2), or one of the controllers of
 * version 1.
 *
 * @param own the folder of this process's group in it
 * @param atRoot whether that is the root of the tree, as far as we can see it
 */
record CgroupHierarchy(boolean unified, Set<String> controllers, Path own, boolean atRoot) {
  CgroupHierarchy {
    controllers = Set.copyOf(controllers);
  }

  static List<CgroupHierarchy> ofThisProcess() {
    Path mounts = Path.of("/proc/self/mountinfo");
    Path memberships = Path.of("/proc/self/cgroup");
    if (!Files.isReadable(mounts) || !Files.isReadable(memberships)) {
      return List.of();
    }
    try {
      List<CgroupHierarchy> found = new ArrayList<>();
      for (CgroupHierarchy hierarchy :
          parse(Files.readAllLines(mounts), Files.readAllLines(memberships))) {
        found.add(hierarchy.unified ? hierarchy.withAvailableControllers() : hierarchy);
      }
      return List.copyOf(found);
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "/proc does not tell our cgroups", failure);
    }
  }

  /**
   * Joins the lines of {@code mountinfo} with those of {@code /proc/self/cgroup}; mounts that are
   * not ours are left.
   */
  static List<CgroupHierarchy> parse(List<String> mountinfo, List<String> memberships) {
    List<CgroupHierarchy> found = new ArrayList<>();
    for (String line : mountinfo) {
      String[] halves = line.split(" - ", 2);
      String[] place = halves[0].split(" ");
      if (halves.length < 2 || place.length < 5) {
        continue;
      }
      String[] source = halves[1].split(" ");
      boolean unified = source[0].equals("cgroup2");
      if (!unified && (!source[0].equals("cgroup") || source.length < 3)) {
        continue;
      }
      Set<String> options = unified ? Set.of() : Set.of(source[2].split(","));
      for (String membership : memberships) {
        String[] parts = membership.split(":", 3);
        if (parts.length < 3) {
          continue;
        }
        Set<String> controllers = parts[1].isEmpty() ? Set.of() : Set.of(parts[1].split(","));
        boolean matches =
            unified
                ? parts[0].equals("0") && controllers.isEmpty()
                : contains(options, controllers);
        String relative = relativeTo(place[3], parts[2]);
        if (matches && relative != null) {
          Path own = Path.of(place[4]).resolve(relative).normalize();
          found.add(new CgroupHierarchy(unified, controllers, own, relative.isEmpty()));
        }
      }
    }
    return found;
  }

  private static boolean contains(Set<String> options, Set<String> controllers) {
    return !controllers.isEmpty() && options.containsAll(controllers);
  }

  /**
   * The group's path under the mount, without leading slash; null when the mount shows another part
   * of the tree.
   */
  private static @Nullable String relativeTo(String mountRoot, String group) {
    if (group.contains("/../") || group.endsWith("/..")) {
      return null;
    }
    String prefix = mountRoot.equals("/") ? "" : mountRoot;
    if (group.equals(prefix) || group.equals(prefix + "/")) {
      return "";
    }
    return group.startsWith(prefix + "/") ? group.substring(prefix.length() + 1) : null;
  }

  private CgroupHierarchy withAvailableControllers() throws IOException {
    Path list = own.resolve("cgroup.controllers");
    Set<String> available = new HashSet<>();
    if (Files.isReadable(list)) {
      available.addAll(List.of(Files.readString(list).strip().split(" ")));
    }
    return new CgroupHierarchy(true, available, own, atRoot);
  }

  boolean isOurs() {
    if (!Files.isWritable(own)) {
      return false;
    }
    if (atRoot) {
      return true;
    }
    try {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return !user.equals(0) && user.equals(Files.getAttribute(own, "unix:uid"));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the owner of " + own + " is not readable", failure);
    }
  }

  Path group(String name) {
    return own.resolve("berth").resolve(name);
  }

  /** Hands a controller down to the groups of jobs. Only version 2 asks for that. */
  void enable(String controller) throws IOException {
    if (!unified) {
      return;
    }
    for (Path parent : List.of(own, own.resolve("berth"))) {
      Path file = parent.resolve("cgroup.subtree_control");
      if (!Files.exists(file)
          || !List.of(Files.readString(file).strip().split(" ")).contains(controller)) {
        Files.writeString(file, "+" + controller, StandardOpenOption.WRITE);
      }
    }
  }
}
