package dev.berth.hosts.container;

import dev.berth.hosts.docker.ContainerFacts;
import java.util.Optional;

/** Says what became of a container whose runner could not tell how the job ended. */
final class ContainerEnd {
  private ContainerEnd() {}

  /**
   * A sentence for the job's owner.
   *
   * @param container empty where the engine does not know it any more
   */
  static String words(Optional<ContainerFacts> container) {
    if (container.isEmpty()) {
      return "the container is gone: it was removed from the engine while the job was running";
    }
    ContainerFacts facts = container.get();
    if (facts.isNew()) {
      return "the container is silent, and the engine does not know that it began: the engine was"
          + " killed in that moment";
    }
    String when = facts.finishedAt().map(at -> " at " + at).orElse("");
    if (facts.outOfMemory()) {
      return "the container was killed%s because it exceeded its memory limit".formatted(when);
    }
    return ("the container was killed%s with everything in it (exit code %d): the engine was"
            + " stopped or restarted, or somebody killed the container. Jobs outlive a restart of"
            + " the engine where it is set to live-restore")
        .formatted(when, facts.exitCode());
  }
}
