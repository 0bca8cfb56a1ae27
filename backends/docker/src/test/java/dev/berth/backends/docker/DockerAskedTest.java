package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.DOCKER)
class DockerAskedTest extends AskedContainers {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }
}
