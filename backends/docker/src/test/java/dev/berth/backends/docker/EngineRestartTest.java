package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.EngineEvents;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The engine dies under running jobs, and comes back. */
@ResourceLock(TestEngine.DOCKER)
class EngineRestartTest {
  private static final String UNTIL_GATE =
      "while [ ! -e /berth/job/gate ]; do sleep 0.1; done; echo after";

  @TempDir Path directory;

  private static Container busybox() {
    return Container.of(TestImages.BUSYBOX);
  }

  private void openGate(String job) throws Exception {
    Files.createFile(directory.resolve("jobs/jobs").resolve(job).resolve("gate"));
  }

  /** A job runs a moment before its engine has noted so; the engine answers when it has. */
  private static void awaitKnown(TestEngine engine, String job) {
    assertThat(engine.engine().find("berth-" + job)).get().matches(ContainerFacts::running);
  }

  /** Leaves of an engine's notes on a container what there was before it noted the start. */
  private static void forgetStart(TestEngine engine, String container) throws IOException {
    Path notes = engine.data().resolve("containers").resolve(container).resolve("config.v2.json");
    String text = Files.readString(notes);
    String before =
        text.replaceFirst("\"Running\":true", "\"Running\":false")
            .replaceFirst("\"Pid\":[0-9]+", "\"Pid\":0")
            .replaceFirst("\"StartedAt\":\"[^\"]*\"", "\"StartedAt\":\"0001-01-01T00:00:00Z\"");
    assertThat(before).isNotEqualTo(text);
    Files.writeString(notes, before);
  }

  @Test
  void whatTheEngineForgotIsFollowedAndEndedByItsRunner() throws Exception {
    try (TestEngine engine = TestEngine.docker(false)) {
      TestImages.busybox(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        String goesOn =
            jobs.start(EngineJobs.request(busybox(), "echo before", UNTIL_GATE, "exit 5"));
        String killed = jobs.start(EngineJobs.request(busybox(), UNTIL_GATE));
        List<String> both = List.of(goesOn, killed);
        List<ContainerFacts> containers = new ArrayList<>();
        for (String job : both) {
          jobs.awaitRunning(job);
          containers.add(engine.engine().find("berth-" + job).orElseThrow());
        }
        engine.kill();
        for (ContainerFacts container : containers) {
          forgetStart(engine, container.id());
        }
        engine.startAgain();
        for (String job : both) {
          assertThat(engine.engine().find("berth-" + job)).get().matches(ContainerFacts::isNew);
          jobs.awaitRunning(job);
        }
        jobs.runtime().kill(killed);
        assertThat(jobs.awaitEnd(killed).cause()).isEqualTo(JobObservation.Cause.KILLED);
        // The runner ends after it has said that the job did.
        ProcessHandle.of(containers.getLast().pid())
            .map(ProcessHandle::onExit)
            .orElse(CompletableFuture.completedFuture(null))
            .get(1, TimeUnit.MINUTES);
        openGate(goesOn);
        assertThat(jobs.awaitEnd(goesOn).code()).isEqualTo(5);
        assertThat(jobs.output(goesOn, Stream.STDOUT)).isEqualTo("before\nafter\n");
      }
    }
  }

  @Test
  void whatDiesWithTheEngineSaysSo() throws Exception {
    try (TestEngine engine = TestEngine.docker(false)) {
      TestImages.busybox(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        String job = jobs.start(EngineJobs.request(busybox(), "echo before", UNTIL_GATE));
        jobs.awaitOutput(job, "before\n");
        awaitKnown(engine, job);
        engine.kill();
        assertThatThrownBy(() -> jobs.runtime().observe(List.of(job)))
            .isInstanceOf(BackendException.Transient.class)
            .hasMessageContaining("the engine at", "cannot be reached");
        assertThat(jobs.output(job, Stream.STDOUT)).as("while it is down").isEqualTo("before\n");
        engine.startAgain();
        assertThat(jobs.awaitLost(job).detail())
            .contains("was killed", "the engine was stopped or restarted", "live-restore");
        assertThat(jobs.output(job, Stream.STDOUT)).isEqualTo("before\n");
        // As the control plane does with what was lost.
        jobs.runtime().kill(job);
        assertThat(jobs.awaitEnd(job).cause()).isEqualTo(JobObservation.Cause.KILLED);
        String next = jobs.start(EngineJobs.request(busybox(), "exit 4"));
        assertThat(jobs.awaitEnd(next).code()).isEqualTo(4);
      }
    }
  }

  /** Programs that end well when they are asked to are lost as well: nobody wanted them to end. */
  @Test
  void whatAStoppedEngineEndsIsLost() throws Exception {
    try (TestEngine engine = TestEngine.docker(false, "--log-driver=none")) {
      TestImages.busybox(engine.engine());
      TestImages.endless(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        String job = jobs.start(EngineJobs.request(busybox(), "echo before", UNTIL_GATE));
        String direct = jobs.start(EngineJobs.request(Container.of(TestImages.ENDLESS)));
        for (String one : List.of(job, direct)) {
          jobs.awaitRunning(one);
          awaitKnown(engine, one);
        }
        engine.stop();
        engine.startAgain();
        assertThat(jobs.awaitLost(job).detail()).contains("the engine was stopped or restarted");
        assertThat(jobs.awaitLost(direct).detail()).contains("the engine was stopped or restarted");
        jobs.runtime().kill(direct);
        assertThat(jobs.awaitEnd(direct).cause()).isEqualTo(JobObservation.Cause.KILLED);
      }
    }
  }

  /** Its service is no parent of containers. */
  @Test
  @ResourceLock(TestEngine.PODMAN)
  void jobsOfPodmanGoOnWithoutItsService() throws Exception {
    try (TestEngine engine = TestEngine.podman()) {
      TestImages.busybox(engine.engine());
      TestImages.endless(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        String early = jobs.start(EngineJobs.request(busybox(), UNTIL_GATE, "exit 5"));
        String late = jobs.start(EngineJobs.request(busybox(), UNTIL_GATE, "exit 6"));
        String direct = jobs.start(EngineJobs.request(Container.of(TestImages.ENDLESS)));
        for (String job : List.of(early, late, direct)) {
          jobs.awaitRunning(job);
          awaitKnown(engine, job);
        }
        engine.stop();
        openGate(early);
        engine.startAgain();
        assertThat(jobs.awaitEnd(early).code()).isEqualTo(5);
        jobs.awaitRunning(late);
        openGate(late);
        assertThat(jobs.awaitEnd(late).code()).isEqualTo(6);
        jobs.awaitRunning(direct);
        jobs.runtime().kill(direct);
        assertThat(jobs.awaitEnd(direct).cause()).isEqualTo(JobObservation.Cause.KILLED);
      }
    }
  }

  @Test
  void whatOutlivesTheEngineIsFollowedOn() throws Exception {
    try (TestEngine engine = TestEngine.docker(true)) {
      TestImages.busybox(engine.engine());
      TestImages.endless(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        String early =
            jobs.start(EngineJobs.request(busybox(), "echo before", UNTIL_GATE, "exit 5"));
        String late =
            jobs.start(EngineJobs.request(busybox(), "echo before", UNTIL_GATE, "exit 6"));
        String direct = jobs.start(EngineJobs.request(Container.of(TestImages.ENDLESS)));
        for (String job : List.of(early, late, direct)) {
          jobs.awaitRunning(job);
          awaitKnown(engine, job);
        }
        engine.kill();
        openGate(early);
        engine.startAgain();
        assertThat(jobs.awaitEnd(early).code()).isEqualTo(5);
        assertThat(jobs.output(early, Stream.STDOUT)).isEqualTo("before\nafter\n");
        jobs.awaitRunning(late);
        jobs.awaitRunning(direct);
        openGate(late);
        assertThat(jobs.awaitEnd(late).code()).isEqualTo(6);
        assertThat(jobs.output(late, Stream.STDOUT)).isEqualTo("before\nafter\n");
        jobs.runtime().kill(direct);
        assertThat(jobs.awaitEnd(direct).cause()).isEqualTo(JobObservation.Cause.KILLED);
      }
    }
  }

  @Test
  void eventsAreFollowedAgainByThemselves() throws Exception {
    Semaphore connections = new Semaphore(0);
    Semaphore ends = new Semaphore(0);
    try (TestEngine engine = TestEngine.docker(false)) {
      TestImages.busybox(engine.engine());
      try (EngineEvents _ =
          new EngineEvents(
              engine.engine(),
              "berth-backend",
              "test/docker",
              new EngineEvents.Listener() {
                @Override
                public void connected() {
                  connections.release();
                }

                @Override
                public void changed(String name, String action) {
                  if (action.equals("die")) {
                    ends.release();
                  }
                }
              })) {
        assertThat(connections.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        engine.kill();
        engine.startAgain();
        assertThat(connections.tryAcquire(1, TimeUnit.MINUTES)).as("connected again").isTrue();
        try (EngineJobs jobs = new EngineJobs(engine, directory)) {
          jobs.awaitEnd(
              jobs.start(EngineJobs.request(busybox(), null, Map.of("A", "b"), "exit 0")));
        }
        assertThat(ends.tryAcquire(1, TimeUnit.MINUTES)).as("told of an end").isTrue();
      }
    }
  }
}
