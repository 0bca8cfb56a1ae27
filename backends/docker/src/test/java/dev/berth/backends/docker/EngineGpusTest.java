package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.model.Accelerator;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime.Stream;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Trait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The accelerators of an engine's machine: which are offered, and what jobs get of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
@ResourceLock(TestEngine.DOCKER)
class EngineGpusTest {
  private static final String AMD =
      """
      #!/bin/sh
      if [ "$1" = metric ]; then
        echo '[{"gpu": 0, "usage": {"gfx_activity": {"value": 3, "unit": "%"}}},'
        echo ' {"gpu": 1, "usage": {"gfx_activity": {"value": 71, "unit": "%"}}}]'
        exit
      fi
      """
          + FakeTools.TWO_AMD.substring("#!/bin/sh\n".length());

  @TempDir Path folder;
  @TempDir static Path sockets;

  private @Nullable TestEngine engine;
  private @Nullable RecordingEngine recording;

  @BeforeAll
  void startEngine() {
    TestEngine started = TestEngine.docker();
    engine = started;
    TestImages.busybox(started.engine());
    recording = new RecordingEngine(sockets.resolve("recorded.sock"), started.socket());
  }

  @AfterAll
  void endEngine() {
    try (TestEngine _ = engine;
        RecordingEngine _ = recording) {
      // On a machine without an engine, or without an image for it, nothing is recorded.
      assertThat(recording == null || engine != null).isTrue();
    }
  }

  private Compute open(FakeGpus machine, Map<String, ?> settings) {
    return machine.open("unix://" + sockets.resolve("recorded.sock"), settings);
  }

  private OwnMachine shown(FakeGpus machine, Map<String, ?> settings) {
    try (Compute compute = open(machine, settings)) {
      return compute.ownMachines().getFirst();
    }
  }

  private static JobRequest request(Set<String> devices, String... commands) {
    Container container = Container.of(TestImages.BUSYBOX);
    JobRequest plain = EngineJobs.request(container, commands);
    return new JobRequest(
            plain.attemptId(), plain.spec(), new ResourceVector(1, 1, 128, 0, devices))
        .in(container);
  }

  private String asked(String job) {
    List<String> bodies =
        Objects.requireNonNull(recording).bodies("/containers/create?name=berth-" + job);
    assertThat(bodies).isNotEmpty();
    return bodies.getFirst();
  }

  @Test
  void devicesThatTheEngineCanGiveAreOffered() throws IOException {
    FakeGpus machine =
        FakeGpus.in(folder)
            .with("nvidia-smi", FakeTools.TWO_NVIDIA)
            .with("amd-smi", AMD)
            .withToolkit()
            .withAmdFiles();
    OwnMachine shown = shown(machine, Map.of());
    assertThat(shown.accelerators())
        .containsExactly(
            new Accelerator("GPU-aaaa", "nvidia", "A100", 81920),
            new Accelerator("GPU-bbbb", "nvidia", "A100", 81920),
            new Accelerator("GPU-0000000000000001", "amd", "MI300X", 196608),
            new Accelerator("GPU-0000000000000002", "amd", "MI300X", 196608));
    assertThat(shown.capacity().devices())
        .containsExactlyInAnyOrder(
            "GPU-aaaa", "GPU-bbbb", "GPU-0000000000000001", "GPU-0000000000000002");
    assertThat(shown(machine, Map.of("capacity", Map.of("gpus", 3))).accelerators())
        .extracting(Accelerator::id)
        .containsExactly("GPU-aaaa", "GPU-bbbb", "GPU-0000000000000001");
  }

  @Test
  void whatTheEngineCannotGiveIsNotOffered() throws IOException {
    FakeGpus machine =
        FakeGpus.in(folder).with("nvidia-smi", FakeTools.TWO_NVIDIA).with("amd-smi", AMD);
    assertThat(shown(machine, Map.of()).accelerators()).as("neither toolkit nor files").isEmpty();
    machine.withAmdFiles();
    Files.delete(Path.of(machine.file(129)));
    assertThat(shown(machine, Map.of()).accelerators())
        .extracting(Accelerator::id)
        .containsExactly("GPU-0000000000000001");
  }

  @Test
  void nobodyLooksWhereNoneAreToBeOffered() throws IOException {
    Path asked = folder.resolve("asked");
    FakeGpus machine =
        FakeGpus.in(folder).with("nvidia-smi", "#!/bin/sh\ntouch " + asked + "\n").withToolkit();
    Map<String, ?> none = Map.of("capacity", Map.of("gpus", 0));
    try (Compute compute = open(machine, none)) {
      assertThat(compute.ownMachines().getFirst().accelerators()).isEmpty();
      assertThat(compute.traits().has(Trait.GPU_METRICS)).isFalse();
      assertThat(compute.gpuMetrics()).isEmpty();
    }
    assertThat(asked).doesNotExist();
  }

  @Test
  void engineIsAskedForTheDevicesOfThePlacementAndRefusesWithASentence() throws Exception {
    FakeGpus machine = FakeGpus.in(folder).with("nvidia-smi", FakeTools.TWO_NVIDIA).withToolkit();
    try (EngineJobs jobs = EngineJobs.of(open(machine, Map.of()))) {
      String job = jobs.start(request(Set.of("GPU-bbbb"), "echo never"));
      JobObservation.Exited end = jobs.awaitEnd(job);
      assertThat(asked(job))
          .contains("\"Driver\":\"nvidia\",\"DeviceIDs\":[\"GPU-bbbb\"]")
          .contains("\"NVIDIA_VISIBLE_DEVICES=GPU-bbbb\"");
      assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
      assertThat(end.detail()).contains("cannot give GPUs to containers", "container toolkit");

      String none = jobs.start(request(Set.of(), "echo $BERTH_GPUS_NUM $DSTACK_GPUS_PER_NODE"));
      assertThat(jobs.awaitEnd(none).code()).isZero();
      assertThat(jobs.output(none, Stream.STDOUT)).isEqualTo("0 0\n");
      assertThat(asked(none))
          .contains("\"NVIDIA_VISIBLE_DEVICES=void\"")
          .doesNotContain("DeviceRequests");

      assertThatThrownBy(() -> jobs.runtime().start(request(Set.of("GPU-cccc"), "echo never")))
          .isInstanceOf(BackendException.Transient.class)
          .hasMessage("this machine does not show the GPU GPU-cccc any more");
    }
  }

  @Test
  void jobSeesTheFilesOfItsOwnDeviceAndNoOthers() throws Exception {
    FakeGpus machine = FakeGpus.in(folder).with("amd-smi", AMD).withAmdFiles();
    try (EngineJobs jobs = EngineJobs.of(open(machine, Map.of()))) {
      String job =
          jobs.start(
              request(
                  Set.of("GPU-0000000000000002"),
                  "ls %s/dev %s/dev/dri".formatted(folder, folder),
                  "test -c " + machine.file(129),
                  "echo $BERTH_GPUS_NUM ${ROCR_VISIBLE_DEVICES-unset}"));
      assertThat(jobs.awaitEnd(job)).returns(0, JobObservation.Exited::code);
      assertThat(jobs.output(job, Stream.STDOUT))
          .contains("kfd", "renderD129", "1 unset\n")
          .doesNotContain("renderD128");
      assertThat(asked(job))
          .contains("\"PathOnHost\":\"" + machine.file(129) + "\"")
          .doesNotContain("DeviceRequests");

      Files.delete(Path.of(machine.file(129)));
      assertThatThrownBy(
              () -> jobs.runtime().start(request(Set.of("GPU-0000000000000002"), "echo never")))
          .isInstanceOf(BackendException.Transient.class)
          .hasMessageContaining("the device file of the GPU GPU-0000000000000002");
    }
  }

  @Test
  void itIsKnownHowBusyTheDevicesOfAJobAre() throws Exception {
    FakeGpus machine = FakeGpus.in(folder).with("amd-smi", AMD).withAmdFiles();
    Compute compute = open(machine, Map.of());
    try (EngineJobs jobs = EngineJobs.of(compute)) {
      assertThat(compute.traits().has(Trait.GPU_METRICS)).isTrue();
      Set<String> both = Set.of("GPU-0000000000000001", "GPU-0000000000000002");
      String job = jobs.start(request(both, "sleep 600"));
      jobs.awaitRunning(job);
      GpuMetrics metrics = compute.gpuMetrics().orElseThrow();
      List<GpuMetrics.Holder> holders = List.of(new GpuMetrics.Holder(job, both));
      assertThat(metrics.utilisation(holders)).isEqualTo(Map.of(job, List.of(3, 71)));
      jobs.runtime().kill(job);
      assertThat(metrics.utilisation(holders)).isEmpty();
    }
  }
}
