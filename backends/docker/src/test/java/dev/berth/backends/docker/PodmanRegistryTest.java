package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.PODMAN)
class PodmanRegistryTest extends RegistryPulls {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }

  /** Podman does not tell how much there is. */
  @Override
  String progressWord() {
    return "pulling";
  }
}
