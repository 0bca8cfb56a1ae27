package dev.berth.backends.local;

import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Compute;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** This machine, as the only one of its backend. */
final class LocalCompute implements Compute {
  /** The same for ever, so that a restarted server knows the machine again. */
  static final String INSTANCE_ID = "local";

  private final LocalSettings settings;
  private final Path dataDirectory;
  private final GpuInventory gpus;
  private final LocalRuntime runtime;

  LocalCompute(
      LocalSettings settings, Path dataDirectory, GpuInventory gpus, LocalRuntime runtime) {
    this.settings = settings;
    this.dataDirectory = dataDirectory;
    this.gpus = gpus;
    this.runtime = runtime;
  }

  @Override
  public List<Instance> instances() {
    Machine machine = Machine.look(dataDirectory);
    List<Gpu> offered = offered(gpus.look());
    ResourceVector capacity =
        new ResourceVector(
            settings.slots(),
            Objects.requireNonNullElse(settings.cpus(), machine.cpus()),
            Objects.requireNonNullElse(settings.memoryMib(), machine.memoryMib()),
            Objects.requireNonNullElse(settings.diskMib(), machine.diskMib()),
            offered.stream().map(Gpu::id).collect(Collectors.toSet()));
    return List.of(
        new Instance(
            INSTANCE_ID,
            "",
            machine.name(),
            LocalBackendType.NAME,
            LocalBackendType.NAME,
            Instance.Status.IDLE,
            capacity,
            offered.stream().map(Gpu::device).toList(),
            Map.of(),
            0));
  }

  private List<Gpu> offered(List<Gpu> found) {
    Integer most = settings.gpus();
    return most == null || most >= found.size() ? found : found.subList(0, most);
  }

  @Override
  public LocalRuntime runtime() {
    return runtime;
  }

  /** Lets go of the machine. Jobs go on, and the next one that opens the backend sees them. */
  @Override
  public void close() {
    runtime.close();
  }
}
