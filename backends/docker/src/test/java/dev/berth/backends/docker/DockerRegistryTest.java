package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.DOCKER)
class DockerRegistryTest extends RegistryPulls {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }
}
