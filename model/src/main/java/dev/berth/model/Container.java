package dev.berth.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The container that a job runs in.
 *
 * @param image as an engine takes it, with registry and tag
 * @param registry who we are at a private registry
 * @param user who runs inside; null for the image's own user. What we put in front of the job's
 *     commands needs root
 * @param entrypoint replaces the image's own; a shell line of at most {@value #LONGEST_ENTRYPOINT}
 *     bytes, because some providers take no more
 * @param ports that must be reachable from outside
 * @param privileged whether the container may do what its host may
 * @param mounts folders of the host that it sees
 * @param shmMib the size of {@code /dev/shm}; null for what is usual there
 * @param hostPorts ports of an engine's machine by number, with the one of {@code ports} that each
 *     leads to; the others get any number
 * @param run the key of the run, whose containers may have a network of their own; null where
 *     nobody knows it
 */
public record Container(
    String image,
    @Nullable Registry registry,
    @Nullable String user,
    @Nullable String entrypoint,
    List<Integer> ports,
    boolean privileged,
    List<Mount> mounts,
    @Nullable Long shmMib,
    Map<Integer, Integer> hostPorts,
    @Nullable String run) {
  public static final int LONGEST_ENTRYPOINT = 2048;

  public Container {
    ports = List.copyOf(ports);
    mounts = List.copyOf(mounts);
    // Bodies of before they could be said have none.
    hostPorts =
        Collections.unmodifiableMap(new TreeMap<>(Objects.requireNonNullElse(hostPorts, Map.of())));
    if (image.isBlank()) {
      throw new IllegalArgumentException("a container has an image");
    }
    ports.forEach(Container::requirePort);
    hostPorts.keySet().forEach(Container::requirePort);
    if (!ports.containsAll(hostPorts.values())) {
      throw new IllegalArgumentException(
          "a port of the host leads to one of the ports " + ports + ": " + hostPorts);
    }
  }

  private static void requirePort(int port) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("a port is a number from 1 to 65535, not " + port);
    }
  }

  /** One for which the host has nothing special to do. */
  public Container(
      String image,
      @Nullable Registry registry,
      @Nullable String user,
      @Nullable String entrypoint,
      List<Integer> ports,
      boolean privileged,
      List<Mount> mounts) {
    this(image, registry, user, entrypoint, ports, privileged, mounts, null, Map.of(), null);
  }

  /** A container of an image, run by root, with nothing else asked for. */
  public static Container of(String image) {
    return new Container(image, null, "root", null, List.of(), false, List.of());
  }

  public Container withRegistry(Registry newRegistry) {
    return with(newRegistry, user, entrypoint, privileged, mounts);
  }

  public Container withUser(String newUser) {
    return with(registry, newUser, entrypoint, privileged, mounts);
  }

  public Container withEntrypoint(String newEntrypoint) {
    return with(registry, user, newEntrypoint, privileged, mounts);
  }

  public Container withMounts(List<Mount> newMounts) {
    return with(registry, user, entrypoint, privileged, newMounts);
  }

  /** The same, with all that its host may. */
  public Container asPrivileged() {
    return with(registry, user, entrypoint, true, mounts);
  }

  /** The same, with no more than containers usually may. */
  public Container asUnprivileged() {
    return with(registry, user, entrypoint, false, mounts);
  }

  private Container with(
      @Nullable Registry newRegistry,
      @Nullable String newUser,
      @Nullable String newEntrypoint,
      boolean newPrivileged,
      List<Mount> newMounts) {
    return new Container(
        image,
        newRegistry,
        newUser,
        newEntrypoint,
        ports,
        newPrivileged,
        newMounts,
        shmMib,
        hostPorts,
        run);
  }

  /** The same with other ports, by any numbers of the host. */
  public Container withPorts(List<Integer> newPorts) {
    return withPorts(newPorts, Map.of());
  }

  /** The same with other ports, some of them by certain numbers of the host. */
  public Container withPorts(List<Integer> newPorts, Map<Integer, Integer> newHostPorts) {
    return new Container(
        image, registry, user, entrypoint, newPorts, privileged, mounts, shmMib, newHostPorts, run);
  }

  public Container withShm(@Nullable Long newShmMib) {
    return new Container(
        image, registry, user, entrypoint, ports, privileged, mounts, newShmMib, hostPorts, run);
  }

  /** The same, as one of a run. */
  public Container inRun(String newRun) {
    return new Container(
        image, registry, user, entrypoint, ports, privileged, mounts, shmMib, hostPorts, newRun);
  }

  /** A name and password at a registry. */
  public record Registry(String username, Secret password) {}

  /**
   * A folder of the host, and where the job sees it.
   *
   * @param optional whether the job runs without it where the host has none
   */
  public record Mount(String hostPath, String path, boolean optional) {
    /** One that the job needs. */
    public Mount(String hostPath, String path) {
      this(hostPath, path, false);
    }
  }
}
