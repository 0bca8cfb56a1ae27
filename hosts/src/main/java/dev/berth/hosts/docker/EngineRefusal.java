package dev.berth.hosts.docker;

import dev.berth.hosts.docker.ContainerSpec.Limits;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What follows from an engine's refusal to make or start a container. */
public sealed interface EngineRefusal {
  /** How the warning begins that a job has no limit of memory though it should. */
  String NO_MEMORY_LIMIT = "the host cannot limit memory, so the job can use all of it";

  /**
   * The job can run without what the host cannot give.
   *
   * @param warning what the user is told
   */
  record Without(Limits limits, String warning) implements EngineRefusal {}

  /** The engine is in trouble, so that it may do later what it cannot do now. */
  record Later(String sentence) implements EngineRefusal {}

  /** The job cannot run there. */
  record Final(String sentence) implements EngineRefusal {}

  /** What an engine left out without a refusal, as a warning for the user. */
  static String discarded(String words) {
    String text = words.toLowerCase(Locale.ROOT);
    return text.contains("memory limit") && text.contains("discarded")
        ? NO_MEMORY_LIMIT + ": " + words
        : "the engine says: " + words;
  }

  /**
   * Reads a refusal.
   *
   * @param words the engine's
   */
  static EngineRefusal of(String words, ContainerSpec spec) {
    String text = words.toLowerCase(Locale.ROOT);
    Limits limits = spec.limits();
    if (text.contains("rlimit") && !limits.ulimits().isEmpty()) {
      return new Without(
          new Limits(limits.cpus(), limits.memoryBytes(), limits.shmBytes(), Map.of()),
          "the host does not give the ulimits %s, so the job runs with the engine's own: %s"
              .formatted(String.join(", ", limits.ulimits().keySet()), words));
    }
    if (mentions(text, "nanocpus", "cpu cfs", "cpu.cfs", "cpu.max", "range of cpus")
        && limits.cpus() != null) {
      return new Without(
          new Limits(null, limits.memoryBytes(), limits.shmBytes(), limits.ulimits()),
          "the host cannot limit CPUs, so the job can use all of them: " + words);
    }
    if (mentions(text, "memory.limit", "memory.memsw", "memory.max", "memory limit")
        && mentions(text, "cgroup", "kernel does not support", "no such file")
        && limits.memoryBytes() != null) {
      return new Without(
          new Limits(limits.cpus(), null, limits.shmBytes(), limits.ulimits()),
          NO_MEMORY_LIMIT + ": " + words);
    }
    String sentence = sentence(text, words, spec);
    // Engines answer 500 to what they will never do as well, so that their words must say it.
    return mentions(
            text,
            "context deadline exceeded",
            "timeout",
            "timed out",
            "transport is closing",
            "containerd.sock",
            "resource temporarily unavailable",
            "try again")
        ? new Later(sentence)
        : new Final(sentence);
  }

  /** Whether somebody else is about to start the container. */
  static boolean isBeingStarted(String words) {
    return words.toLowerCase(Locale.ROOT).contains("container state improper");
  }

  /** Whether a network is missing that the container was made for. */
  static boolean isNetworkGone(String words) {
    return words.contains("not found") && words.contains("network");
  }

  private static boolean mentions(String text, String... words) {
    return List.of(words).stream().anyMatch(text::contains);
  }

  private static String sentence(String text, String words, ContainerSpec spec) {
    if (mentions(text, "could not select device driver", "unknown runtime", "cdi device")) {
      return "the engine cannot give GPUs to containers; install the vendor's container toolkit on"
          + " its host and restart the engine ("
          + words
          + ")";
    }
    if (!spec.devices().isEmpty()
        && mentions(text, "nvidia-container-cli", "nvidia-container-runtime")) {
      return "the engine cannot give the job its GPUs; see whether nvidia-smi shows them on the"
          + " engine's host, and restart the engine after a change of the driver ("
          + words
          + ")";
    }
    if (spec.devices().nodes().stream()
        .anyMatch(node -> text.contains(node.toLowerCase(Locale.ROOT)))) {
      return "the engine cannot give the job a device of its host; see whether the driver is loaded"
          + " there ("
          + words
          + ")";
    }
    if (spec.privileged() && mentions(text, "apply caps", "capabilit", "operation not permitted")) {
      return "the engine's host does not give all capabilities, which a privileged container needs;"
          + " run it on another host, or leave out 'privileged' ("
          + words
          + ")";
    }
    if (mentions(text, "port is already allocated", "address already in use")
        && spec.ports().stream().anyMatch(port -> port.host() != null)) {
      return "a port that the job asks for in 'ports' is in use on the engine's machine; end who"
          + " uses it, name another as in 18080:8080, or write *:8080 for any free one ("
          + words
          + ")";
    }
    if (mentions(text, "bind source path does not exist", "statfs")) {
      return "a folder of the machine that the job names in 'volumes' does not exist there; make"
          + " it, or write 'optional: true' to run without it ("
          + words
          + ")";
    }
    return "the engine refuses the container: " + words;
  }
}
