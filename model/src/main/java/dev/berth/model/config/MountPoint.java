package dev.berth.model.config;

import java.util.List;

/** Something that is mounted into the job. */
public sealed interface MountPoint {
  /** Where the job sees it. */
  String path();

  /** A network volume; of several names any one is taken. */
  record VolumeMount(List<String> name, String path) implements MountPoint {
    public VolumeMount {
      name = List.copyOf(name);
    }
  }

  /** A folder of the machine. */
  record InstanceMount(String instancePath, String path, boolean optional) implements MountPoint {}
}
