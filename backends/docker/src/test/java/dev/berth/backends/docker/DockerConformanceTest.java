package dev.berth.backends.docker;

import dev.berth.spi.Deviation;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Docker keeps the contract of backends. */
@ResourceLock(TestEngine.DOCKER)
class DockerConformanceTest extends EngineConformance {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }

  @Override
  List<Deviation> deviations() {
    return givesAllCapabilities()
        ? List.of()
        : List.of(
            new Deviation(
                "privileged-container-runs",
                "the exit code of a job whose commands succeed: expected 0, got null",
                "this machine does not give all capabilities, and Docker asks for all"));
  }
}
