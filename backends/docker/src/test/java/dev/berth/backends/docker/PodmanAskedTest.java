package dev.berth.backends.docker;

class PodmanAskedTest extends AskedContainers {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }
}
