package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.PODMAN)
class PodmanJobsTest extends JobsInContainers {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }
}
