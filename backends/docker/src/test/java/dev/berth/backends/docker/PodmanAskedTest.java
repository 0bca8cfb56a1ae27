package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.PODMAN)
class PodmanAskedTest extends AskedContainers {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }
}
