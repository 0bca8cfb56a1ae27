package dev.berth.backends.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.HostFailures;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.Executables;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.gpus.DeviceVariables;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.hosts.process.HostSettings;
import dev.berth.hosts.process.ProcessJobRuntime;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.nio.file.Path;
import java.util.Map;

/** Runs jobs on the machine of the server, as processes, without images. */
public final class LocalBackendType implements BackendType<LocalSettings> {
  static final String NAME = "local";

  static final Traits TRAITS =
      Traits.of(Traits.Base.HOSTS)
          .without(
              Trait.IMAGES,
              Trait.PRIVILEGED,
              Trait.INSTANCE_VOLUMES,
              Trait.MULTI_NODE,
              Trait.QUEUE_POSITION,
              Trait.REWRITING)
          .with(Trait.FILES, Trait.USAGE);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "The server's machine: jobs run as processes, without containers.";
  }

  @Override
  public Class<LocalSettings> config() {
    return LocalSettings.class;
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  @Override
  public boolean isThereByItself() {
    return true;
  }

  /** Looks at the machine once, which is all that a job will need. */
  @Override
  public void check(LocalSettings settings, BackendContext context) {
    try (Compute compute = open(settings, context)) {
      compute.ownMachines();
    }
  }

  @Override
  public Compute open(LocalSettings settings, BackendContext context) {
    Map<String, String> environment = System.getenv();
    Executables executables = Executables.of(environment.getOrDefault("PATH", ""));
    GpuInventory gpus = GpuInventory.ofThisMachine(executables);
    return open(context.backend(), context.dataDirectory(), settings, gpus, context.archives());
  }

  static LocalCompute open(
      String backend,
      Path dataDirectory,
      LocalSettings settings,
      GpuInventory gpus,
      Archives archives) {
    try {
      HostSettings host =
          HostSettings.of(
              LocalAccess.ofThisMachine(),
              MachinePath.of(dataDirectory.resolve("jobs").toString()));
      ProcessJobRuntime runtime =
          new ProcessJobRuntime(
              host, TRAITS, ids -> DeviceVariables.visible(gpus.requireSeen(ids), ids), archives);
      return new LocalCompute(backend, settings, dataDirectory, gpus, runtime);
    } catch (HostException failure) {
      throw HostFailures.translate(failure);
    }
  }
}
