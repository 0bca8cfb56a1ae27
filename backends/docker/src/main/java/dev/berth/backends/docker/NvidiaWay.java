package dev.berth.backends.docker;

import dev.berth.hosts.access.local.Executables;
import dev.berth.hosts.docker.Engine;

/** How an engine gives NVIDIA's accelerators to containers. */
enum NvidiaWay {
  /**
   * By the driver of NVIDIA's container toolkit. Since Docker 19.03 a container need not name a
   * runtime for that: the engine has the driver where it found the toolkit's hook when it started,
   * and tells nobody. The runtime in its list comes with the same toolkit.
   */
  DRIVER,
  /** By the names of the Container Device Interface, which an engine tells since Docker 28.2. */
  CDI,
  /**
   * Not at all, as far as we know. Podman's service takes requests for devices without a word, and
   * starts the container without them, so a job would wait for a GPU and not get it.
   */
  NONE;

  private static final String RUNTIME = "nvidia";
  private static final String HOOK = "nvidia-container-runtime-hook";

  /**
   * Decides.
   *
   * @param executables of the engine's machine
   */
  static NvidiaWay of(Engine.Version version, Engine.Machine machine, Executables executables) {
    if (version.isPodman()) {
      return NONE;
    }
    if (machine.runtimes().contains(RUNTIME) || executables.find(HOOK).isPresent()) {
      return DRIVER;
    }
    return machine.cdiDevices().stream().anyMatch(name -> name.startsWith(cdiName("")))
        ? CDI
        : NONE;
  }

  /** What the Container Device Interface calls an accelerator. */
  static String cdiName(String id) {
    return "nvidia.com/gpu=" + id;
  }
}
