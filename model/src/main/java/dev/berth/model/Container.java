package dev.berth.model;

import java.util.List;
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
 */
public record Container(
    String image,
    @Nullable Registry registry,
    @Nullable String user,
    @Nullable String entrypoint,
    List<Integer> ports,
    boolean privileged,
    List<Mount> mounts) {
  public static final int LONGEST_ENTRYPOINT = 2048;

  public Container {
    ports = List.copyOf(ports);
    mounts = List.copyOf(mounts);
    if (image.isBlank()) {
      throw new IllegalArgumentException("a container has an image");
    }
    for (int port : ports) {
      if (port < 1 || port > 65535) {
        throw new IllegalArgumentException("a port is a number from 1 to 65535, not " + port);
      }
    }
  }

  /** A container of an image, run by root, with nothing else asked for. */
  public static Container of(String image) {
    return new Container(image, null, "root", null, List.of(), false, List.of());
  }

  public Container withRegistry(Registry newRegistry) {
    return new Container(image, newRegistry, user, entrypoint, ports, privileged, mounts);
  }

  public Container withUser(String newUser) {
    return new Container(image, registry, newUser, entrypoint, ports, privileged, mounts);
  }

  public Container withEntrypoint(String newEntrypoint) {
    return new Container(image, registry, user, newEntrypoint, ports, privileged, mounts);
  }

  public Container withPorts(List<Integer> newPorts) {
    return new Container(image, registry, user, entrypoint, newPorts, privileged, mounts);
  }

  public Container withMounts(List<Mount> newMounts) {
    return new Container(image, registry, user, entrypoint, ports, privileged, newMounts);
  }

  /** The same, with all that its host may. */
  public Container asPrivileged() {
    return new Container(image, registry, user, entrypoint, ports, true, mounts);
  }

  /** A name and password at a registry. */
  public record Registry(String username, Secret password) {}

  /** A folder of the host, and where the job sees it. */
  public record Mount(String hostPath, String path) {}
}
