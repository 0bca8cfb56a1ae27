package dev.berth.backends.docker;

/** Podman's service keeps the contract of backends too. */
class PodmanConformanceTest extends EngineConformance {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }
}
