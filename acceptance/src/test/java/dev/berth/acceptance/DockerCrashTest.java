package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.docker.TestEngine;
import dev.berth.backends.docker.TestImages;
import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import dev.berth.hosts.docker.Engine;
import dev.berth.model.api.AttemptView;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.RunView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The server is killed while containers are being made, and again while twenty run. The next server
 * goes on with them: none is lost, doubled or spoilt, and none is left when the runs are deleted.
 */
@ResourceLock(TestEngine.DOCKER)
class DockerCrashTest {
  private static final String PROJECT = "main";
  private static final String BACKEND = "engine";
  private static final int JOBS = 20;

  @Test
  void containersOfAKilledServerAreTakenOver() throws IOException {
    long seed = new SplittableRandom().nextLong();
    System.out.println("DockerCrashTest seed " + seed);
    try (TestEngine engine = TestEngine.docker();
        TestHome home = TestHome.fresh();
        CrashingServer server = new CrashingServer(home, new EnumMap<>(FailPoint.class))) {
      TestImages.busybox(engine.engine());
      new Round(engine, home, server, new SplittableRandom(seed)).play();
    }
  }

  private record Round(
      TestEngine engine, TestHome home, CrashingServer server, SplittableRandom random) {
    void play() throws IOException {
      server.ask(
          client ->
              client.addBackend(
                  PROJECT, new BackendRequest(BACKEND, "docker", Map.of("host", engine.host()))));
      List<CrashJob> jobs = new ArrayList<>();
      for (int number = 0; number < JOBS; number++) {
        // Those whose number is a multiple of three do not wait, and would not run any more.
        jobs.add(
            CrashJob.create(
                3 * number + 1, CrashJob.Stopped.NEVER, home.scratch(), random.split()));
      }
      jobs.forEach(this::submit);
      awaitStarted(JOBS / 4);
      server.kill();
      // Their containers go on, or wait for the next server, which starts with the first question.
      all();
      awaitStarted(JOBS);
      server.kill();
      // The engine says that a container runs a moment after its process has begun.
      Await.until(
          "all containers run without a server",
          () -> running().size() == JOBS,
          () -> containers().toString());
      CrashJob.openGate(home.scratch());
      Await.until("all runs have ended", () -> ended() == JOBS, () -> all().toString());
      check(jobs);
      all().forEach(run -> server.ask(client -> client.delete(PROJECT, run.id())));
      Await.until(
          "all containers are removed",
          () -> containers().isEmpty(),
          () -> containers().toString());
      server.end();
    }

    private void submit(CrashJob job) {
      server.ask(
          client ->
              client.submit(
                  PROJECT,
                  job.request(TestImages.BUSYBOX, home.scratch(), BACKEND),
                  "submit-" + job.name()));
    }

    private void awaitStarted(int wanted) {
      Await.until(
          wanted + " jobs have started",
          () -> CrashJob.started(home.scratch()).size() >= wanted,
          () -> all().toString());
    }

    private List<RunView> all() {
      return server.ask(client -> client.list(PROJECT, true, 1000, null)).runs();
    }

    private long ended() {
      return all().stream().filter(run -> run.finishedAt() != null).count();
    }

    private Map<String, Engine.Listed> containers() {
      return engine.engine().list();
    }

    private List<Engine.Listed> running() {
      return containers().values().stream().filter(one -> one.state().equals("running")).toList();
    }

    private void check(List<CrashJob> jobs) {
      List<String> attempts = new ArrayList<>();
      for (RunView run : all()) {
        CrashJob job =
            jobs.stream().filter(one -> one.name().equals(run.name())).findAny().orElseThrow();
        var detail = server.ask(client -> client.get(PROJECT, run.id()));
        assertThat(detail.attempts()).as("attempts of %s", detail.run()).hasSize(1);
        AttemptView attempt = detail.attempts().getFirst();
        attempts.add(attempt.id());
        assertThat(attempt.backend()).isEqualTo(BACKEND);
        assertThat(run.exitCode()).as("%s", detail).isEqualTo(job.exitCode());
        assertThat(OutputBytes.sha256(output(run, "stdout")))
            .isEqualTo(OutputBytes.sha256(job.stdout()));
        assertThat(OutputBytes.sha256(output(run, "stderr")))
            .isEqualTo(OutputBytes.sha256(job.stderr()));
      }
      assertThat(CrashJob.started(home.scratch()))
          .as("attempts that started")
          .containsExactlyInAnyOrderElementsOf(attempts)
          .hasSize(JOBS);
      assertThat(containers().values())
          .as("containers")
          .allMatch(Engine.Listed::hasEnded)
          .extracting(one -> one.labels().get("berth-key"))
          .containsExactlyInAnyOrderElementsOf(attempts);
    }

    private byte[] output(RunView run, String stream) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      while (true) {
        BerthClient.Range range =
            server.ask(
                client ->
                    client.log(
                        PROJECT, run.id(), BerthClient.Source.FIRST_NODE, stream, bytes.size()));
        if (range.bytes().length == 0) {
          return bytes.toByteArray();
        }
        bytes.writeBytes(range.bytes());
      }
    }
  }
}
