package dev.berth.backends.docker;

class DockerAskedTest extends AskedContainers {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }
}
