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
                "Where the engine listens. Without it, what the variable DOCKER_HOST of the server"
                    + " says, or else unix:///var/run/docker.sock.",
            example = "unix:///run/podman/podman.sock")
        @Nullable String host,
    @Setting(value = "How many jobs may run at once.", fallback = "32", least = 1) int slots,
    @Setting("What the machine has, where the engine shall not be asked.")
        @Nullable Capacity capacity,
    @Setting(
            value =
                "The network of containers: bridge, host, per-run for one of each run, or the name"
                    + " of one that is there.",
            fallback = "bridge")
        String network,
    @Setting(value = "The size of /dev/shm in containers.", example = "8GB") @Nullable Size shmSize,
    @Setting(
            value =
                "Limits of processes in containers by name, as SOFT:HARD or one number for both.",
            example = "nofile: 65536:65536")
        Map<String, String> ulimits,
    @Setting(
            value =
                "After how long without a job an image is deleted. Only of those that were pulled"
                    + " for jobs: what was there before stays, and so does what has a container or"
                    + " another name.",
            fallback = "14d")
        Duration imageAge,
    @Setting(
            value =
                "How much of the engine's disk shall be free. Where less is, those of the pulled"
                    + " images that were not used for longest are deleted earlier.",
            example = "20GB")
        @Nullable Size imageSpace) {
  DockerSettings {
    ulimits = Map.copyOf(ulimits);
  }

  /** Null parts are taken from the engine's machine. */
  record Capacity(
      @Setting(value = "Processors.", least = 1) @Nullable Integer cpus,
      @Setting(value = "Memory.", example = "16GB") @Nullable Size memory,
      @Setting(value = "Disk.", example = "100GB") @Nullable Size disk,
      @Setting(
              value =
                  "How many of the accelerators are offered, the first ones. With 0, nobody looks"
                      + " for any.",
              least = 0)
          @Nullable Integer gpus) {
    static final Capacity OF_THE_MACHINE = new Capacity(null, null, null, null);
  }

  Capacity given() {
    return capacity == null ? Capacity.OF_THE_MACHINE : capacity;
  }
}
