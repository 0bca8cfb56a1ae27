package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobRuntime.Stream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocalRuntimeTest {
  private static final String WAIT_FOR_GO = "while [ ! -e go ]; do sleep 0.02; done";

  @TempDir Path folder;

  private static void assertRefused(Class<? extends BackendException> kind, ThrowingCallable call) {
    assertThatThrownBy(call).isExactlyInstanceOf(kind);
  }

  @Test
  void whatAJobDoesWithoutIsToldWithItsState() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.runtime.start(local.request("warned", "touch up", WAIT_FOR_GO));
      local.awaitFile("up");
      Files.writeString(
          local.data.resolve("jobs/jobs/warned/warnings"),
          "no limit\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      assertThat(local.observe("warned"))
          .isInstanceOfSatisfying(
              JobObservation.Running.class,
              running -> assertThat(running.warnings()).contains("no limit"));
      assertThat(local.runtime.describe("warned").warnings()).contains("no limit");
      Files.createFile(local.work.resolve("go"));
      assertThat(local.awaitExit("warned").warnings()).contains("no limit");
    }
  }

  @Test
  void aJobRunsFromStartToExit() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      Instant before = Instant.now();
      Instant handedOver =
          local.runtime.start(
              local.request(
                  "whole",
                  "echo first; echo problem >&2; touch up",
                  WAIT_FOR_GO,
                  "printf second; exit 7"));
      assertThat(handedOver).isBetween(before, Instant.now());
      local.awaitFile("up");
      assertThat(local.observe("whole"))
          .isInstanceOfSatisfying(
              JobObservation.Running.class,
              running -> assertThat(running.startedAt()).isAfter(before.minusSeconds(1)));

      JobRuntime.Output start = local.runtime.read("whole", Stream.STDOUT, 0, 100);
      assertThat(new String(start.bytes(), StandardCharsets.UTF_8)).isEqualTo("first\n");
      assertThat(start.nextOffset()).isEqualTo(6);
      assertThat(start.ended()).isFalse();
      JobRuntime.Output middle = local.runtime.read("whole", Stream.STDOUT, 2, 3);
      assertThat(new String(middle.bytes(), StandardCharsets.UTF_8)).isEqualTo("rst");

      Files.createFile(local.work.resolve("go"));
      JobObservation.Exited exited = local.awaitExit("whole");
      assertThat(exited.code()).isEqualTo(7);
      assertThat(exited.cause()).isEqualTo(Cause.EXITED);
      assertThat(exited.startedAt()).isNotNull();
      JobRuntime.Output rest = local.runtime.read("whole", Stream.STDOUT, 6, 100);
      assertThat(new String(rest.bytes(), StandardCharsets.UTF_8)).isEqualTo("second");
      assertThat(rest.ended()).isTrue();
      assertThat(
              new String(
                  local.runtime.read("whole", Stream.STDERR, 0, 100).bytes(),
                  StandardCharsets.UTF_8))
          .isEqualTo("problem\n");

      local.runtime.remove("whole");
      local.runtime.remove("whole");
      assertThat(local.observe("whole")).isEqualTo(new JobObservation.Absent());
      assertRefused(
          BackendException.Gone.class, () -> local.runtime.read("whole", Stream.STDOUT, 0, 1));
    }
  }

  @Test
  void aJobMayEndItselfDuringTheGrace() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.runtime.start(
          local.request("polite", "trap 'exit 9' TERM; touch up; while :; do sleep 0.02; done"));
      local.awaitFile("up");
      local.runtime.stop("polite", Duration.ofSeconds(30));
      JobObservation.Exited exited = local.awaitExit("polite");
      assertThat(exited.cause()).isEqualTo(Cause.STOPPED);
      assertThat(exited.code()).isEqualTo(9);
      local.runtime.stop("polite", Duration.ZERO);
      local.runtime.stop("unknown", Duration.ZERO);
    }
  }

  @Test
  void aJobThatIgnoresTheRequestIsKilledAfterTheGrace() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.runtime.start(
          local.request("deaf", "trap '' TERM; touch up; while :; do sleep 0.02; done"));
      local.awaitFile("up");
      local.runtime.stop("deaf", Duration.ofMillis(100));
      JobObservation.Exited exited = local.awaitExit("deaf");
      assertThat(exited.cause()).isEqualTo(Cause.STOPPED);
      assertThat(exited.code()).isEqualTo(137);
    }
  }

  @Test
  void whenKillReturnsNothingRuns() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.runtime.start(
          local.request(
              "family",
              "trap '' TERM",
              "sleep 1000 & sh -c 'sleep 1000 & touch near; wait' &",
              "setsid sh -c 'sleep 1000 & touch far; wait' &",
              "touch up; wait"));
      // Between fork and exec a process may carry no mark, so each shell says that it is there.
      for (String said : List.of("up", "near", "far")) {
        local.awaitFile(said);
      }
      assertThat(local.processes("family")).hasSizeGreaterThanOrEqualTo(4);
      local.runtime.kill("family");
      assertThat(local.processes("family")).isEmpty();
      assertThat(local.observe("family"))
          .isInstanceOfSatisfying(
              JobObservation.Exited.class,
              exited -> assertThat(exited.cause()).isEqualTo(Cause.KILLED));
      local.runtime.kill("family");
      local.runtime.kill("unknown");
    }
  }

  @Test
  void aJobWhoseRunnerWasKilledIsLostAndStillCanBeKilled() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.runtime.start(local.request("orphan", "touch up; sleep 1000"));
      local.awaitFile("up");
      Path claim = local.data.resolve("jobs/jobs/orphan/runner");
      long runner = Long.parseLong(Files.readString(claim).split(" ")[0]);
      ProcessHandle handle = ProcessHandle.of(runner).orElseThrow();
      handle.descendants().forEach(ProcessHandle::destroyForcibly);
      handle.destroyForcibly();
      handle.onExit().join();
      local.runtime.kill("orphan");
      assertThat(local.processes("orphan")).isEmpty();
    }
  }

  @Test
  void aJobStartsAtMostOnce() throws Exception {
    GpuInventory none = new FakeTools(folder).inventory();
    try (LocalFixture local = new LocalFixture(folder);
        LocalCompute other = local.open(none);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      JobRequest request = local.request("once", "echo run >>runs");
      CountDownLatch gate = new CountDownLatch(1);
      List<Future<Instant>> starts = new ArrayList<>();
      for (int number = 0; number < 16; number++) {
        JobRuntime runtime = number % 2 == 0 ? local.runtime : other.jobs();
        starts.add(
            threads.submit(
                () -> {
                  gate.await();
                  return runtime.start(request);
                }));
      }
      gate.countDown();
      for (Future<Instant> start : starts) {
        assertThat(start.get()).isNotNull();
      }
      assertThat(local.awaitExit("once").code()).isEqualTo(0);
      other.jobs().start(request);
      assertThat(local.observe("once")).isInstanceOf(JobObservation.Exited.class);
      assertThat(Files.readString(local.work.resolve("runs"))).isEqualTo("run\n");
    }
  }

  @Test
  void aClosedServerLeavesItsJobsToTheNext() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      try (LocalCompute first = local.open(new FakeTools(folder).inventory())) {
        first.jobs().start(local.request("left", "touch up", WAIT_FOR_GO, "exit 5"));
      }
      local.awaitFile("up");
      assertThat(local.observe("left")).isInstanceOf(JobObservation.Running.class);
      Files.createFile(local.work.resolve("go"));
      assertThat(local.awaitExit("left").code()).isEqualTo(5);
    }
  }

  @Test
  void aJobSeesItsDevicesOnly() throws Exception {
    GpuInventory gpus =
        new FakeTools(folder)
            .with("nvidia-smi", FakeTools.TWO_NVIDIA)
            .with("amd-smi", FakeTools.TWO_AMD)
            .inventory();
    String print =
        "echo \"$CUDA_VISIBLE_DEVICES|$NVIDIA_VISIBLE_DEVICES|${ROCR_VISIBLE_DEVICES-unset}"
            + "|${HIP_VISIBLE_DEVICES-unset}|$BERTH_GPUS_NUM|$DSTACK_GPUS_NUM"
            + "|$BERTH_GPUS_PER_NODE|$DSTACK_GPUS_PER_NODE\"";
    try (LocalFixture local = new LocalFixture(folder, gpus)) {
      local.run(local.request("one", Set.of("GPU-bbbb"), List.of(), print));
      assertThat(local.text("one")).isEqualTo("GPU-bbbb|GPU-bbbb|||1|1|1|1\n");
      local.run(local.request("amd", Set.of("GPU-0000000000000002"), List.of(), print));
      assertThat(local.text("amd")).isEqualTo("||GPU-0000000000000002|0|1|1|1|1\n");
      local.run(local.request("none", "echo \"[${CUDA_VISIBLE_DEVICES-unset}][$BERTH_GPUS_NUM]\""));
      assertThat(local.text("none")).isEqualTo("[][0]\n");
      assertRefused(
          BackendException.Transient.class,
          () -> local.runtime.start(local.request("gone", Set.of("GPU-x"), List.of(), "true")));
      assertThat(local.observe("gone")).isEqualTo(new JobObservation.Absent());
    }
  }

  @Test
  void withoutDevicesNothingIsHidden() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      local.run(
          local.request(
              "plain", "echo ${CUDA_VISIBLE_DEVICES-unset} ${ROCR_VISIBLE_DEVICES-unset}"));
      assertThat(local.text("plain")).isEqualTo("unset unset\n");
    }
  }

  @Test
  void filesAreCopiedIn() throws Exception {
    Path source = Files.writeString(folder.resolve("source.txt"), "content");
    try (LocalFixture local = new LocalFixture(folder)) {
      List<JobSpec.File> files = List.of(new JobSpec.File(source.toString(), "in/copy.txt"));
      local.run(local.request("copied", Set.of(), files, "cat in/copy.txt"));
      assertThat(local.text("copied")).isEqualTo("content");
      List<JobSpec.File> missing = List.of(new JobSpec.File(folder + "/missing", "in/x"));
      assertRefused(
          BackendException.Permanent.class,
          () -> local.runtime.start(local.request("missing", Set.of(), missing, "true")));
    }
  }

  @Test
  void requestsThatCannotWorkAreRefused() throws Exception {
    try (LocalFixture local = new LocalFixture(folder)) {
      assertRefused(
          BackendException.Permanent.class, () -> local.runtime.start(local.request("empty")));
      assertRefused(
          BackendException.Permanent.class, () -> local.runtime.observe(List.of("../escape")));
      List<JobSpec.File> unusable = List.of(new JobSpec.File("/a\0b", "x"));
      assertRefused(
          BackendException.Permanent.class,
          () -> local.runtime.start(local.request("nul", Set.of(), unusable, "true")));
    }
  }
}
