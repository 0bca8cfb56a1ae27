package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.DOCKER)
class DockerJobsTest extends JobsInContainers {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }
}
