package dev.berth.decisions;

import dev.berth.model.Container;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.RunSettings;
import java.util.List;

/** What a file says of the container that its nodes run in. */
final class Containers {
  private Containers() {}

  static Container of(RunSettings run, ContainerImages images) {
    return new Container(
        images.of(run),
        null,
        run.user(),
        run.entrypoint(),
        List.of(),
        run.privileged(),
        mounts(run));
  }

  private static List<Container.Mount> mounts(RunSettings run) {
    return run.volumes().stream()
        .filter(MountPoint.InstanceMount.class::isInstance)
        .map(MountPoint.InstanceMount.class::cast)
        .map(mount -> new Container.Mount(mount.instancePath(), mount.path()))
        .toList();
  }
}
