package dev.berth.backends.docker;

class DockerRegistryTest extends RegistryPulls {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }
}
