package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.Secret;
import dev.berth.model.testing.FilesThatAreThere;
import dev.berth.spi.Execution;
import dev.berth.spi.JobRuntime.Stream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is special about jobs in containers. */
abstract class JobsInContainers extends OnAnEngine {
  @BeforeAll
  void makeImages() {
    TestImages.shellless(engine().engine());
  }

  private static Container shellless() {
    return Container.of(TestImages.SHELLESS);
  }

  @Test
  void jobStartsWhereTheImageSays() throws Exception {
    String job = jobs().start(EngineJobs.request(busybox(), "pwd", "echo $HOME"));
    assertThat(jobs().awaitEnd(job).code()).isZero();
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("/srv\n/root\n");
  }

  @Test
  void userOfTheImageRunsTheJob() throws Exception {
    Container worker =
        new Container(
            TestImages.BUSYBOX, null, "worker:workers", null, List.of(), false, List.of());
    String job = jobs().start(EngineJobs.request(worker, "id -u", "id -g"));
    assertThat(jobs().awaitEnd(job)).returns(0, JobObservation.Exited::code);
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("1234\n1235\n");
  }

  @Test
  void unknownUserIsASentence() throws Exception {
    Container nobody =
        new Container(TestImages.BUSYBOX, null, "somebody", null, List.of(), false, List.of());
    JobObservation.Exited end =
        jobs().awaitEnd(jobs().start(EngineJobs.request(nobody, "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains("somebody");
  }

  @Test
  void imageThatCannotBePulledIsASentence() throws Exception {
    Container missing = Container.of("localhost:1/nothing/here:1");
    JobObservation.Exited end =
        jobs().awaitEnd(jobs().start(EngineJobs.request(missing, "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains("localhost:1/nothing/here:1", "cannot be pulled");
  }

  @Test
  void entrypointGetsTheCommandsAsArguments() throws Exception {
    Container container = busybox().withEntrypoint("printf '<%s>'");
    String job = jobs().start(EngineJobs.request(container, "a b", "c"));
    jobs().awaitEnd(job);
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("<a b><c>");
  }

  @Test
  void secretsReachTheJobAndNobodyElse() throws Exception {
    Secret secret = Secret.of("hush-hush-word");
    JobRequest request =
        EngineJobs.request(busybox(), "echo \"$TOKEN\" | wc -c", "echo $TOKEN", "sleep 3600")
            .with(Map.of("TOKEN", secret), List.of(secret));
    String job = jobs().start(request);
    jobs().awaitOutput(job, "**************\n");
    assertThat(engine().inspection("berth-" + job)).doesNotContain("hush-hush");
    jobs().runtime().kill(job);
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("15\n**************\n");
    assertThat(FilesThatAreThere.saying(directory, List.of("hush-hush"))).isEmpty();
  }

  @Test
  void memoryLimitIsEnforcedAndNamed() throws Exception {
    String job =
        jobs().start(EngineJobs.request(busybox(), "awk 'BEGIN { x = \"y\"; while (1) x = x x }'"));
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.OUT_OF_MEMORY);
  }

  @Test
  void commandsInsideSeeTheJobsVariables() throws Exception {
    String job =
        jobs().start(EngineJobs.request(busybox(), null, Map.of("COLOUR", "green"), "sleep 3600"));
    jobs().awaitRunning(job);
    try (Execution execution =
        jobs().runtime().exec(job, List.of("sh", "-c", "echo $COLOUR; echo no >&2; exit 7"))) {
      execution.input().close();
      assertThat(
              new String(
                  execution.output().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("green\n");
      assertThat(
              new String(
                  execution.errors().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("no\n");
      assertThat(execution.exitCode()).isEqualTo(7);
    }
  }

  /** The runner is woken by a shell of the container, which is the job's to replace. */
  @Test
  @Timeout(90)
  void shellThatSleepsDoesNotHoldUpAKill() throws Exception {
    String job =
        jobs()
            .start(
                EngineJobs.request(
                    busybox(),
                    "printf '#!/bin/busybox sh\\nsleep 3600\\n' > /bin/slow",
                    "chmod +x /bin/slow",
                    "mv /bin/slow /bin/sh",
                    "echo ready",
                    "exec sleep 3600"));
    jobs().awaitOutput(job, "ready");
    jobs().runtime().kill(job);
    assertThat(jobs().awaitEnd(job).cause()).isEqualTo(JobObservation.Cause.KILLED);
  }

  @Test
  void imageWithoutShellRunsItsOwnProgram() throws Exception {
    String job = jobs().start(EngineJobs.request(shellless()));
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(end.code()).isZero();
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.EXITED);
    assertThat(jobs().output(job, Stream.STDOUT)).startsWith("root:x:0:0").contains("worker");
  }

  @Test
  void commandsInAnImageWithoutShellAreRefused() throws Exception {
    JobObservation.Exited end =
        jobs().awaitEnd(jobs().start(EngineJobs.request(shellless(), "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains("has no /bin/sh");
  }

  @Test
  void programWithoutShellIsEndedAtItsTime() throws Exception {
    TestImages.endless(engine().engine());
    String job =
        jobs()
            .start(
                EngineJobs.request(
                    Container.of(TestImages.ENDLESS), Duration.ofSeconds(1), Map.of()));
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.MAX_DURATION_EXCEEDED);
    String killed = jobs().start(EngineJobs.request(Container.of(TestImages.ENDLESS)));
    jobs().awaitRunning(killed);
    jobs().runtime().kill(killed);
    assertThat(jobs().awaitEnd(killed).cause()).isEqualTo(JobObservation.Cause.KILLED);
  }

  @Test
  void jobOfAnotherUserIsStoppedInPeace() throws Exception {
    Container worker =
        new Container(TestImages.BUSYBOX, null, "worker", null, List.of(), false, List.of());
    // A child with more digits than its parent is listed before it in /proc.
    String job =
        jobs()
            .start(
                EngineJobs.request(
                    worker,
                    "trap 'exit 9' TERM",
                    "parent=$$ child=; until [ ${#child} -gt ${#parent} ]; do : & child=$!; done",
                    "sleep 3600 & echo ready; wait"));
    jobs().awaitOutput(job, "ready");
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
