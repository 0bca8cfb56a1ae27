package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.container.DockerHost;
import dev.berth.hosts.container.DockerRuntime;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.UnixEngine;
import dev.berth.hosts.images.ImageRetention;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Archives;
import dev.berth.spi.JobRuntime.Stream;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What an engine is asked for where a job was given accelerators, seen between us and it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
@ResourceLock(TestEngine.DOCKER)
@Tag(TestEngine.TAG)
class AcceleratorsTest {
  private static final String GREEDY = "localhost/berth-test-greedy:1";

  @TempDir static Path directory;

  private @Nullable TestEngine engine;
  private @Nullable RecordingEngine recording;
  private @Nullable EngineJobs jobs;

  @BeforeAll
  void open() {
    TestEngine started = TestEngine.docker();
    engine = started;
    TestImages.busybox(started.engine());
    TestImages.greedy(started.engine(), GREEDY);
    Path socket = directory.resolve("recorded.sock");
    recording = new RecordingEngine(socket, started.socket());
    DockerRuntime runtime =
        new DockerRuntime(
            new DockerHost(
                new Engine(
                    new UnixEngine(
                        LocalAccess.ofThisMachine().streams(), MachinePath.of(socket.toString()))),
                LocalAccess.ofThisMachine(),
                MachinePath.of(directory.resolve("jobs").toString()),
                new Owner("test"),
                "docker",
                DockerBackendType.TRAITS,
                new DockerHost.Defaults("bridge", null, Map.of()),
                new ImageRetention(Duration.ofDays(14), 0),
                AcceleratorsTest::given,
                Archives.NONE,
                InstantSource.system()));
    jobs = new EngineJobs(runtime, runtime);
  }

  /** Ids of NVIDIA's GPUs; others are device files. */
  private static DockerHost.Given given(Set<String> ids) {
    List<String> nvidia = ids.stream().filter(id -> id.startsWith("GPU-")).sorted().toList();
    List<String> nodes = ids.stream().filter(id -> id.startsWith("/dev/")).sorted().toList();
    return new DockerHost.Given(
        new ContainerSpec.Devices(nvidia, nodes, nodes.isEmpty() ? List.of() : List.of("4711")),
        Map.of(),
        Map.of());
  }

  @AfterAll
  void close() throws Exception {
    try (TestEngine _ = engine;
        RecordingEngine _ = recording) {
      EngineJobs opened = jobs;
      if (opened != null) {
        opened.end();
      }
    }
  }

  private EngineJobs jobs() {
    return Objects.requireNonNull(jobs);
  }

  private String start(String image, Set<String> devices, String... commands) {
    JobRequest plain = EngineJobs.request(Container.of(image), commands);
    return jobs()
        .start(
            new JobRequest(
                    plain.attemptId(), plain.spec(), new ResourceVector(1, 1, 128, 0, devices))
                .in(Container.of(image)));
  }

  private String asked(String job) {
    List<String> bodies =
        Objects.requireNonNull(recording).bodies("/containers/create?name=berth-" + job);
    assertThat(bodies).isNotEmpty();
    return bodies.getFirst();
  }

  @Test
  void engineIsAskedForTheDevicesOfThePlacementAndNoOthers() throws Exception {
    String job = start(TestImages.BUSYBOX, Set.of("GPU-bbbb", "GPU-aaaa"), "echo never");
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(asked(job))
        .contains(
            "\"DeviceRequests\":[{\"Driver\":\"nvidia\",\"DeviceIDs\":[\"GPU-aaaa\",\"GPU-bbbb\"],")
        .contains("\"NVIDIA_VISIBLE_DEVICES=GPU-aaaa,GPU-bbbb\"");
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail())
        .contains("cannot give GPUs to containers", "container toolkit", "select device driver");
  }

  @Test
  void deviceFilesAreSeenInside() throws Exception {
    String job =
        start(TestImages.BUSYBOX, Set.of("/dev/loop-control"), "ls /dev/loop-control", "id -G");
    assertThat(jobs().awaitEnd(job)).returns(0, JobObservation.Exited::code);
    assertThat(jobs().output(job, Stream.STDOUT))
        .startsWith("/dev/loop-control\n")
        .contains("4711");
    assertThat(asked(job))
        .contains("\"PathOnHost\":\"/dev/loop-control\"")
        .doesNotContain("Requests");
  }

  @Test
  void imageThatAsksForAllDevicesGetsNone() throws Exception {
    String job = start(GREEDY, Set.of(), "echo $NVIDIA_VISIBLE_DEVICES");
    assertThat(jobs().awaitEnd(job)).returns(0, JobObservation.Exited::code);
    assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("void\n");
    assertThat(asked(job)).doesNotContain("DeviceRequests");
  }
}
