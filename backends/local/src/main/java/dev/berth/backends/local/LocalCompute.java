package dev.berth.backends.local;

import dev.berth.hosts.gpus.Gpu;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.hosts.gpus.HostGpuMetrics;
import dev.berth.hosts.process.ProcessJobRuntime;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Reach;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** This machine, as the only one of its backend. */
final class LocalCompute implements Compute {
  /**
   * The name that the user gave the backend: there may be several, each with a share of its own.
   */
  private final String backend;

  private final LocalSettings settings;
  private final Path dataDirectory;
  private final GpuInventory gpus;
  private final ProcessJobRuntime runtime;
  private final Traits traits;

  LocalCompute(
      String backend,
      LocalSettings settings,
      Path dataDirectory,
      GpuInventory gpus,
      ProcessJobRuntime runtime) {
    this.backend = backend;
    this.settings = settings;
    this.dataDirectory = dataDirectory;
    this.gpus = gpus;
    this.runtime = runtime;
    this.traits =
        gpus.seen().stream().anyMatch(Gpu::isMeasurable)
            ? LocalBackendType.TRAITS
            : LocalBackendType.TRAITS.without(Trait.GPU_METRICS);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  /** A job's folder has its key as name, and the file system allows one of a name. */
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
    LocalSettings.Capacity given = settings.given();
    Machine machine = Machine.look(dataDirectory);
    List<Gpu> offered = offered(gpus.look());
    ResourceVector capacity =
        new ResourceVector(
            settings.slots(),
            Objects.requireNonNullElse(given.cpus(), machine.cpus()),
            given.memory() == null ? machine.memoryMib() : given.memory().mib(),
            given.disk() == null ? machine.diskMib() : given.disk().mib(),
            offered.stream().map(Gpu::id).collect(Collectors.toSet()));
    return List.of(
        new OwnMachine(
            backend,
            machine.name(),
            LocalBackendType.NAME,
            capacity,
            offered.stream().map(Gpu::accelerator).toList(),
            null));
  }

  private List<Gpu> offered(List<Gpu> found) {
    Integer most = settings.given().gpus();
    return most == null || most >= found.size() ? found : found.subList(0, most);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.of(runtime);
  }

  @Override
  public Optional<GpuMetrics> gpuMetrics() {
    return traits.has(Trait.GPU_METRICS)
        ? Optional.of(new HostGpuMetrics(runtime, gpus))
        : Optional.empty();
  }

  ProcessJobRuntime jobs() {
    return runtime;
  }

  /** Lets go of the machine. Jobs go on, and the next one that opens the backend sees them. */
  @Override
  public void close() {
    runtime.close();
  }
}
