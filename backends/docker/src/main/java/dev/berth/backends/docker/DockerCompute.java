package dev.berth.backends.docker;

import static dev.berth.hosts.container.EngineFailures.translated;

import dev.berth.hosts.container.DockerRuntime;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.gpus.Gpu;
import dev.berth.hosts.gpus.HostGpuMetrics;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Reach;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The machine of an engine, as the only one of its backend. */
final class DockerCompute implements Compute {
  private final String backend;
  private final DockerSettings settings;
  private final Path dataDirectory;
  private final Engine engine;
  private final DockerRuntime runtime;
  private final EngineGpus gpus;
  private final Traits traits;

  DockerCompute(
      String backend,
      DockerSettings settings,
      Path dataDirectory,
      Engine engine,
      DockerRuntime runtime,
      EngineGpus gpus) {
    this.backend = backend;
    this.settings = settings;
    this.dataDirectory = dataDirectory;
    this.engine = engine;
    this.runtime = runtime;
    this.gpus = gpus;
    this.traits =
        gpus.isAnyMeasurable()
            ? DockerBackendType.TRAITS
            : DockerBackendType.TRAITS.without(Trait.GPU_METRICS);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  /** A container's name is made of its key, and an engine refuses a second one of a name. */
  @Override
  public Identity identity() {
    return new Identity.UniqueName();
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public Offers offers() {
    return new Offers.OwnMachines();
  }

  @Override
  public List<OwnMachine> ownMachines() {
    Engine.Machine info = translated(engine::info);
    List<Gpu> offered = translated(() -> gpus.offered(info));
    DockerSettings.Capacity given = settings.given();
    ResourceVector capacity =
        new ResourceVector(
            settings.slots(),
            Objects.requireNonNullElse(given.cpus(), info.cpus()),
            given.memory() == null ? info.memoryBytes() >> 20 : given.memory().mib(),
            given.disk() == null ? diskMib() : given.disk().mib(),
            offered.stream().map(Gpu::id).collect(Collectors.toSet()));
    return List.of(
        new OwnMachine(
            backend,
            info.name(),
            DockerBackendType.NAME,
            capacity,
            offered.stream().map(Gpu::accelerator).toList(),
            new OwnMachine.Containers(true, true)));
  }

  private long diskMib() {
    try {
      return Files.getFileStore(dataDirectory).getUsableSpace() >> 20;
    } catch (IOException failure) {
      throw new BackendException.Transient(
          "the disk of " + dataDirectory + " cannot be looked at", failure);
    }
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.of(runtime);
  }

  @Override
  public Optional<GpuMetrics> gpuMetrics() {
    return traits.has(Trait.GPU_METRICS)
        ? Optional.of(new HostGpuMetrics(runtime, gpus.inventory()))
        : Optional.empty();
  }

  /** Lets go of the engine. Jobs go on, and the next one that opens the backend sees them. */
  @Override
  public void close() {
    runtime.close();
  }
}
