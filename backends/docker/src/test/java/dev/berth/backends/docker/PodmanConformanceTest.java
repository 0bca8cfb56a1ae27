package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

/** Podman's service keeps the contract of backends too. */
@ResourceLock(TestEngine.PODMAN)
class PodmanConformanceTest extends EngineConformance {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }
}
