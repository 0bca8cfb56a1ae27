package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendContext;
import dev.berth.spi.JobRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BlockingQueue<String> changed = new LinkedBlockingQueue<>();
  @TempDir Path directory;

  private JobRuntime jobs(String state) {
    return compute(state).runtime().orElseThrow();
  }

  private SimCompute compute(String state) {
    SimConfig config = SimFixture.config("state: %s\nscenario: {boot_time: 50ms}".formatted(state));
    BackendContext context =
        new BackendContext(
            "rehearsal", SimFixture.OWNER, directory, Map.of(), InstantSource.system());
    return new SimBackendType().open(config, context);
  }

  private String next() throws InterruptedException {
    String key = changed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(key).as("a change within " + PATIENCE).isNotNull();
    return key;
  }

  private void awaitEnd(JobRuntime jobs, String key) throws InterruptedException {
    while (!(jobs.observe(List.of(key)).getFirst() instanceof JobObservation.Exited)) {
      assertThat(next()).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "file"})
  void a_watch_tells_when_a_job_ends_by_itself(String state) throws Exception {
    JobRuntime jobs = jobs(state);
    try (AutoCloseable _ = jobs.watch(changed::add)) {
      jobs.start(job("a", "sleep 0.1"));
      awaitEnd(jobs, "a");
    }
  }

  @Test
  void a_watch_tells_when_somebody_ends_a_job() throws Exception {
    JobRuntime jobs = jobs("memory");
    try (AutoCloseable _ = jobs.watch(changed::add)) {
      jobs.start(job("a", "sleep 1h"));
      assertThat(next()).isEqualTo("a");
      jobs.kill("a");
      awaitEnd(jobs, "a");
    }
  }

  @Test
  void a_watch_sees_what_others_do_to_the_same_file() throws Exception {
    JobRuntime mine = jobs("file");
    try (AutoCloseable _ = mine.watch(changed::add)) {
      jobs("file").start(job("a", "exit 0"));
      awaitEnd(mine, "a");
    }
  }

  @Test
  void a_closed_watch_leaves_no_thread() {
    SimCompute compute = compute("memory");
    SimWatch watch = new SimWatch(compute.cloud(), SimFixture.OWNER, changed::add);
    assertThat(watch.isRunning()).isTrue();
    watch.close();
    watch.close();
    assertThat(watch.isRunning()).isFalse();
  }

  @Test
  void a_closed_backend_calls_nobody_any_more() throws Exception {
    SimCompute compute = compute("memory");
    JobRuntime jobs = compute.runtime().orElseThrow();
    AutoCloseable watch = jobs.watch(changed::add);
    compute.close();
    jobs.start(job("a", "exit 0"));
    jobs.kill("a");
    assertThat(changed).isEmpty();
    watch.close();
  }
}
