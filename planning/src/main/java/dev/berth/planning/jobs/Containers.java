package dev.berth.planning.jobs;

import dev.berth.model.Container;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Size;
import dev.berth.planning.ContainerImages;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a file says of the container that its nodes run in. */
final class Containers {
  private Containers() {}

  /**
   * The container of a node.
   *
   * @param resources the node's
   * @param ports the node's
   */
  static Container of(
      RunSettings run, ResourcesSpec resources, List<PortMapping> ports, ContainerImages images) {
    Size shm = resources.shmSize();
    return new Container(
            images.of(run),
            null,
            run.user(),
            run.entrypoint(),
            List.of(),
            run.privileged(),
            mounts(run))
        .withShm(shm == null ? null : shm.mib())
        .withPorts(
            ports.stream().map(PortMapping::container).distinct().toList(), hostPorts(ports));
  }

  /** Those that a file asks for by number; of two of one number the first counts. */
  private static Map<Integer, Integer> hostPorts(List<PortMapping> ports) {
    Map<Integer, Integer> all = new TreeMap<>();
    for (PortMapping port : ports) {
      Integer local = port.local();
      if (local != null) {
        all.putIfAbsent(local, port.container());
      }
    }
    return all;
  }

  private static List<Container.Mount> mounts(RunSettings run) {
    return run.volumes().stream()
        .filter(MountPoint.InstanceMount.class::isInstance)
        .map(MountPoint.InstanceMount.class::cast)
        .map(mount -> new Container.Mount(mount.instancePath(), mount.path(), mount.optional()))
        .toList();
  }
}
