package dev.berth.hosts.container;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.images.PulledImages;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobEnd;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which jobs are brought to a container, and what becomes of those that are not. */
@Timeout(60)
class ContainerLaunchesTest {
  @TempDir Path folder = Path.of("");

  private final SteeredEngine engine = new SteeredEngine();
  private @Nullable JobStore store;
  private @Nullable ContainerStates states;
  private @Nullable ContainerLaunches launches;

  @BeforeEach
  void open() {
    DockerHost host = engine.host(folder);
    JobStore opened = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), Instant.now());
    store = opened;
    states = new ContainerStates(host, opened);
    DirectJobs direct = new DirectJobs(host, opened);
    JobEnd end = new JobEnd(opened, new ContainerRunners(host.engine(), direct), host.clock());
    PulledImages pulled = new PulledImages(host.machine().files(), path(folder.resolve("images")));
    launches =
        new ContainerLaunches(
            host, opened, states(), end, direct, pulled, new RunNetworks(host, opened));
    // Nobody is looked after by the first connection any more.
    engine.awaitTakenIn();
  }

  @AfterEach
  void close() {
    launches().close();
  }

  private ContainerStates states() {
    return Objects.requireNonNull(states);
  }

  private ContainerLaunches launches() {
    return Objects.requireNonNull(launches);
  }

  private JobDirectory prepare() {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("echo"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    Container container = Container.of("image:1");
    JobRequest request =
        new JobRequest("a", spec, new ResourceVector(1, 1, 128, 0, Set.of())).in(container);
    DockerHost host = engine.host(folder);
    ContainerJob job =
        ContainerTranslation.job(
            request,
            container,
            host.defaults(),
            "bridge",
            _ -> true,
            new DockerHost.Given(
                new ContainerSpec.Devices(List.of(), List.of(), List.of()), Map.of(), Map.of()));
    JobStore opened = Objects.requireNonNull(store);
    opened.prepare(
        "a",
        directory -> ContainerStaging.fill(directory, request, container, job, host.archives()));
    return opened.directory("a");
  }

  private void begin() {
    launches().begin("a");
    launches().end("a");
  }

  private Exited end() {
    return (Exited) states().state("a");
  }

  private boolean wasAsked(String words) {
    return engine.asked.stream().anyMatch(line -> line.contains(words));
  }

  @Test
  void preparedJobIsBroughtToItsContainer() {
    JobDirectory directory = prepare();
    begin();
    assertThat(engine.containers).containsEntry("berth-a", "running");
    assertThat(directory.has(JobDirectory.LAUNCHED)).isTrue();
  }

  @Test
  void jobOfAnotherBootIsNotStarted() throws IOException {
    JobDirectory directory = prepare();
    Files.writeString(path(directory.file(JobDirectory.PREPARED)), "another-boot");
    assertThat(states().state("a")).isInstanceOf(Lost.class);
    begin();
    assertThat(engine.asked).noneMatch(line -> line.startsWith("POST"));
  }

  @Test
  void containerThatHasRunIsNotStartedAgain() {
    JobDirectory directory = prepare();
    engine.containers.put("berth-a", "exited");
    begin();
    assertThat(wasAsked("/start")).isFalse();
    assertThat(wasAsked("DELETE")).isFalse();
    assertThat(end().reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end().detail()).contains("ended before the job began");
    assertThat(directory.has(JobDirectory.LAUNCHED)).isTrue();
  }

  @Test
  void containerThatEndsBeforeItsStartIsNotedIsTold() {
    prepare();
    engine.beforeEach(
        line -> {
          if (line.contains("/start")) {
            engine.die("berth-a");
            engine.awaitTakenIn();
          }
        });
    begin();
    assertThat(end().reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end().detail()).contains("ended before the job began");
  }

  @Test
  void launchThatBreaksEndsTheJobWithAReason() {
    prepare();
    engine.beforeEach(
        line -> {
          if (line.contains("/create")) {
            throw new IllegalStateException("something new");
          }
        });
    begin();
    assertThat(end().reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end().detail()).contains("could not be brought to its container", "something new");
  }
}
