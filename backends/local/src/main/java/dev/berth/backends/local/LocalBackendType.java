package dev.berth.backends.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.HostSettings;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs jobs on the machine of the server, as processes, without images.
 *
 * <p>Settings: {@code slots} is how many jobs may run at once (32); {@code capacity} with {@code
 * cpus}, {@code memory}, {@code disk} (sizes such as {@code 16GB}, or numbers of MiB) and {@code
 * gpus} (how many of them) replaces what the machine has.
 */
public final class LocalBackendType implements BackendType {
  static final String NAME = "local";

  private static final Duration TOOL_TIME_LIMIT = Duration.ofSeconds(5);

  /** Where drivers put their tools without telling the {@code PATH}. */
  private static final List<Path> TOOL_FOLDERS =
      List.of(Path.of("/opt/rocm/bin"), Path.of("/usr/lib/wsl/lib"));

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Compute open(BackendContext context) {
    LocalSettings settings = LocalSettings.read(context.settings());
    Map<String, String> environment = System.getenv();
    Executables executables = Executables.of(environment.getOrDefault("PATH", ""));
    GpuInventory gpus =
        new GpuInventory(executables.and(TOOL_FOLDERS), new ToolRun(TOOL_TIME_LIMIT));
    return open(context.dataDirectory(), settings, gpus, executables);
  }

  static LocalCompute open(
      Path dataDirectory, LocalSettings settings, GpuInventory gpus, Executables executables) {
    try {
      HostSettings host = HostSettings.of(dataDirectory.resolve("jobs"));
      LocalRuntime runtime = new LocalRuntime(host, gpus, executables);
      return new LocalCompute(settings, dataDirectory, gpus, runtime);
    } catch (HostException failure) {
      throw HostFailures.translate(failure);
    }
  }
}
