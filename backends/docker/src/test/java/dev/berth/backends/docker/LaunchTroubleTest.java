package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.docker.FakeEngine;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Launches at an engine that is in trouble, which a real one cannot be brought into. */
@Timeout(120)
class LaunchTroubleTest {
  private static final String DISCARDED =
      "Your kernel does not support memory limit capabilities or the cgroup is not mounted."
          + " Limitation discarded.";

  @TempDir Path directory;

  private final AtomicInteger creations = new AtomicInteger();
  private final AtomicInteger networks = new AtomicInteger();
  private final AtomicBoolean networkIsThere = new AtomicBoolean();
  private final CountDownLatch started = new CountDownLatch(1);

  /** Has each image, and a shell in it, and takes all that it is asked. */
  private void answer(FakeEngine.Asked asked, OutputStream out, FakeEngine.Answers create)
      throws IOException {
    String path = asked.path();
    if (path.contains("/containers/create")) {
      create.answer(asked, out);
    } else if (path.contains("/images/")) {
      FakeEngine.send(out, 200, "{\"Id\":\"sha256:1\",\"Config\":{\"Cmd\":[\"sh\"]}}");
    } else if (path.contains("/archive") && asked.method().equals("GET")) {
      FakeEngine.send(out, 404, "{}");
    } else if (path.contains("/networks/")) {
      network(asked, out);
    } else if (path.endsWith("/start")) {
      FakeEngine.send(out, 204, "");
      started.countDown();
    } else {
      FakeEngine.send(out, 200, path.contains("/containers/json") ? "[]" : "{}");
    }
  }

  private void network(FakeEngine.Asked asked, OutputStream out) throws IOException {
    String name = asked.path().substring(asked.path().lastIndexOf('/') + 1);
    if (asked.method().equals("POST")) {
      networks.incrementAndGet();
      networkIsThere.set(true);
      FakeEngine.send(out, 201, "{\"Id\":\"1\"}");
    } else if (networkIsThere.get()) {
      FakeEngine.send(
          out,
          200,
          "{\"Id\":\"1\",\"Name\":\"%s\",\"Labels\":{\"berth-backend\":\"test/docker\"}}"
              .formatted(name));
    } else {
      FakeEngine.send(out, 404, "{\"message\":\"network %s not found\"}".formatted(name));
    }
  }

  private interface Steps {
    void take(EngineJobs jobs) throws Exception;
  }

  private void at(FakeEngine.Answers create, Steps steps) throws Exception {
    at(Map.of(), create, steps);
  }

  private void at(Map<String, String> settings, FakeEngine.Answers create, Steps steps)
      throws Exception {
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"), (asked, out) -> answer(asked, out, create))) {
      Map<String, @Nullable Object> all = new HashMap<>(settings);
      all.put("host", fake.host());
      DockerBackendType type = new DockerBackendType();
      Compute compute =
          type.open(
              ConfigReader.read(type.config(), all),
              new BackendContext(
                  "docker",
                  new Owner("test"),
                  directory.resolve("data"),
                  Map.of(),
                  InstantSource.system()));
      EngineJobs jobs = EngineJobs.of(compute);
      try {
        steps.take(jobs);
      } finally {
        // Not left to themselves: a launch that goes on writes into the folder that is deleted.
        jobs.end();
      }
    }
  }

  @Test
  void limitThatTheEngineDiscardsIsAWarning() throws Exception {
    at(
        (_, out) ->
            FakeEngine.send(out, 201, "{\"Id\":\"1\",\"Warnings\":[\"%s\"]}".formatted(DISCARDED)),
        jobs -> {
          String job = jobs.start(EngineJobs.request(Container.of("image:1"), "echo"));
          assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
          assertThat(jobs.runtime().describe(job).warnings())
              .containsExactly(
                  "the host cannot limit memory, so the job can use all of it: " + DISCARDED);
        });
  }

  @Test
  void engineThatRunsLateIsAskedAgain() throws Exception {
    at(
        (_, out) -> {
          if (creations.incrementAndGet() < 3) {
            FakeEngine.send(out, 500, "{\"message\":\"containerd: context deadline exceeded\"}");
          } else {
            FakeEngine.send(out, 201, "{}");
          }
        },
        jobs -> {
          jobs.start(EngineJobs.request(Container.of("image:1"), "echo"));
          assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
        });
  }

  @Test
  void networkThatSomebodyRemovedMeanwhileIsMadeAgain() throws Exception {
    at(
        Map.of("network", "per-run"),
        (_, out) -> {
          if (creations.incrementAndGet() == 1) {
            networkIsThere.set(false);
            // In Podman's words.
            FakeEngine.send(
                out,
                500,
                "{\"message\":\"container create: unable to find network with name or ID"
                    + " berth-run-r1-docker: network not found\"}");
          } else {
            FakeEngine.send(out, 201, "{}");
          }
        },
        jobs -> {
          jobs.start(EngineJobs.request(Container.of("image:1").inRun("r1"), "echo"));
          assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
          assertThat(networks).hasValue(2);
        });
  }

  @Test
  void whatAnEngineNeverDoesIsAskedOnce() throws Exception {
    at(
        (_, out) -> {
          creations.incrementAndGet();
          FakeEngine.send(out, 500, "{\"message\":\"no such runtime\"}");
        },
        jobs -> {
          String job = jobs.start(EngineJobs.request(Container.of("image:1"), "echo"));
          assertThat(jobs.awaitEnd(job))
              .returns(JobObservation.Cause.START_FAILED, JobObservation.Exited::cause);
          assertThat(creations).hasValue(1);
        });
  }

  @Test
  void imageWithoutANameIsRefusedAtOnce() throws Exception {
    at(
        (_, _) -> {},
        jobs ->
            assertThatThrownBy(
                    () -> jobs.runtime().start(EngineJobs.request(Container.of("a//b"), "echo")))
                .isInstanceOf(BackendException.Permanent.class)
                .hasMessageContaining("'a//b' is not a valid image name"));
  }
}
