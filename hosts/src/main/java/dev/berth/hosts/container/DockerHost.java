package dev.berth.hosts.container;

import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.images.ImageRetention;
import dev.berth.spi.Archives;
import dev.berth.spi.Owner;
import dev.berth.spi.Traits;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link DockerRuntime} needs to know of its engine.
 *
 * @param machine the way into the machine that the engine is on
 * @param root the folder of the job directories there
 * @param backend what tells the containers of one backend from those of others at the same engine
 * @param accelerators what a job is given for the ids of devices that were allocated to it; throws
 *     for those that are gone
 */
public record DockerHost(
    Engine engine,
    MachineAccess machine,
    MachinePath root,
    Owner owner,
    String backend,
    Traits traits,
    Defaults defaults,
    ImageRetention images,
    Function<Set<String>, Given> accelerators,
    Archives archives,
    InstantSource clock) {

  /**
   * What an administrator said for all containers.
   *
   * @param network bridge, host, per-run, or the name of a network
   * @param shmBytes null for the engine's default
   */
  public record Defaults(
      String network, @Nullable Long shmBytes, Map<String, ContainerSpec.Ulimit> ulimits) {
    public Defaults {
      ulimits = Collections.unmodifiableMap(new LinkedHashMap<>(ulimits));
    }
  }

  /**
   * Accelerators as a job gets them.
   *
   * @param counts variables that the user may replace
   * @param hiding variables that hide the other accelerators of the machine in a privileged
   *     container, which sees them all; they win over the user's, who cannot know what was
   *     allocated. Any other container sees only its own, and counts them from 0
   */
  public record Given(
      ContainerSpec.Devices devices, Map<String, String> counts, Map<String, String> hiding) {
    public Given {
      counts = Map.copyOf(counts);
      hiding = Map.copyOf(hiding);
    }
  }
}
