package dev.berth.backends.docker;

import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.DOCKER)
class DockerJobsTest extends JobsInContainers {
  @Override
  TestEngine start() {
    return TestEngine.docker();
  }

  @Test
  void jobOfAnotherUserIsStoppedInPeace() throws Exception {
    Container worker =
        new Container(TestImages.BUSYBOX, null, "worker", null, List.of(), false, List.of());
    String job = jobs().start(EngineJobs.request(worker, "trap 'exit 9' TERM; sleep 3600 & wait"));
    jobs().awaitRunning(job);
    jobs().runtime().stop(job, Duration.ofMinutes(1));
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.STOPPED);
    assertThat(end.code()).isEqualTo(9);
  }

  @Test
  void workingDirectoryBelowTheHomeIsMade() throws Exception {
    JobRequest request =
        EngineJobs.inShell("/bin/sh", "~/new/one", busybox(), "pwd", "ls / | grep -c new || true");
    String job = jobs().start(request);
    assertThat(jobs().awaitEnd(job)).returns(0, JobObservation.Exited::code);
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("/root/new/one\n0\n");
  }
}
