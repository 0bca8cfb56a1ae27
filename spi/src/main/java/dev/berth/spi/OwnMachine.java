package dev.berth.spi;

import dev.berth.model.Accelerator;
import dev.berth.model.ResourceVector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine that is there by itself, such as a host or a node of a cluster, with what it has now.
 *
 * @param id tells it from all other machines of the installation and is always the same, so that a
 *     restarted server knows it again. A backend of one machine takes {@link
 *     BackendContext#backend}; one of several puts it in front
 * @param name what people call it
 * @param capacity what all jobs on it can use together; its devices are the ids of the accelerators
 * @param containers what its engine does for jobs; null where jobs are its processes
 */
public record OwnMachine(
    String id,
    String name,
    String region,
    ResourceVector capacity,
    List<Accelerator> accelerators,
    @Nullable Containers containers) {
  public OwnMachine {
    accelerators = List.copyOf(accelerators);
  }

  /**
   * What a container engine does for jobs.
   *
   * @param privileged whether it runs privileged containers
   * @param mounts whether it mounts folders of the machine
   */
  public record Containers(boolean privileged, boolean mounts) {}
}
