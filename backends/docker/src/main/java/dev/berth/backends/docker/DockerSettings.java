package dev.berth.backends.docker;

import dev.berth.model.config.Size;
import dev.berth.spi.config.Setting;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an administrator says about an engine. */
record DockerSettings(
    @Setting(
            value =
                "The address of the engine. The default is DOCKER_HOST in the server's environment,"
                    + " or else unix:///var/run/docker.sock.",
            example = "unix:///run/podman/podman.sock")
        @Nullable String host,
    @Setting(
            value = "The maximum number of jobs that run at the same time.",
            fallback = "32",
            least = 1)
        int slots,
    @Setting("The capacity of the machine, instead of what the engine reports.")
        @Nullable Capacity capacity,
    @Setting(
            value =
                "The network of containers: bridge, host, per-run for a network per run, or the"
                    + " name of an existing network.",
            fallback = "bridge")
        String network,
    @Setting(value = "The size of /dev/shm in containers.", example = "8GB") @Nullable Size shmSize,
    @Setting(
            value =
                "Resource limits of processes in containers: SOFT:HARD, or one number for both.",
            example = "nofile: 65536:65536")
        Map<String, String> ulimits,
    @Setting(
            value =
                "How long an image that no job uses is kept. Only images that were pulled for jobs"
                    + " are deleted, and only if they have no container and no other name.",
            fallback = "14d")
        Duration imageAge,
    @Setting(
            value =
                "The space to keep free on the engine's disk. If there is less, the pulled images"
                    + " that have been unused the longest are deleted earlier.",
            example = "20GB")
        @Nullable Size imageSpace) {
  DockerSettings {
    ulimits = Map.copyOf(ulimits);
  }

  /** Null parts are taken from the engine's machine. */
  record Capacity(
      @Setting(value = "The number of CPUs.", least = 1) @Nullable Integer cpus,
      @Setting(value = "The memory.", example = "16GB") @Nullable Size memory,
      @Setting(value = "The disk space.", example = "100GB") @Nullable Size disk,
      @Setting(
              value =
                  "The number of GPUs to offer, starting with the first. With 0, Berth does not"
                      + " look for any.",
              least = 0)
          @Nullable Integer gpus) {
    static final Capacity OF_THE_MACHINE = new Capacity(null, null, null, null);
  }

  Capacity given() {
    return capacity == null ? Capacity.OF_THE_MACHINE : capacity;
  }
}
