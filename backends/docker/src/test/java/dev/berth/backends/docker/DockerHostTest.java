package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.DOCKER)
class DockerHostTest extends HostGifts {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }

  @Test
  void privilegedIsRefusedWithWhatTheHostDoesNotGive() throws Exception {
    Assumptions.assumeFalse(
        EngineConformance.givesAllCapabilities(), "this machine gives all capabilities");
    JobObservation.Exited end =
        jobs().awaitEnd(jobs().start(EngineJobs.request(busybox().asPrivileged(), "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains("does not give all capabilities", "leave out 'privileged'");
  }

  /** Podman makes it. */
  @Test
  void folderThatTheHostDoesNotHaveIsASentence() throws Exception {
    String missing = directory.resolve("missing").toString();
    Container needing = busybox().withMounts(List.of(new Container.Mount(missing, "/mnt/data")));
    JobObservation.Exited end =
        jobs().awaitEnd(jobs().start(EngineJobs.request(needing, "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains("'volumes' does not exist there", "'optional: true'");
  }
}
