package dev.berth.backends.docker;

import dev.berth.hosts.HostException;
import dev.berth.hosts.HostFailures;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.Executables;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.container.DockerHost;
import dev.berth.hosts.container.DockerRuntime;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineAddress;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.gpus.AmdDeviceFiles;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.nio.file.Path;

/** Runs jobs as containers of the engine on the machine of the server: Docker's, or Podman's. */
public final class DockerBackendType implements BackendType<DockerSettings> {
  static final String NAME = "docker";

  static final Traits TRAITS =
      Traits.of(Traits.Base.HOSTS)
          .without(Trait.MULTI_NODE, Trait.QUEUE_POSITION, Trait.REWRITING)
          .with(Trait.FILES, Trait.USAGE);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "A Docker or Podman engine on the server's machine: jobs run as its containers.";
  }

  @Override
  public Class<DockerSettings> config() {
    return DockerSettings.class;
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  /** Asks the engine what it is, which needs the socket, the right to use it, and a language. */
  @Override
  public void check(DockerSettings settings, BackendContext context) {
    EngineAddress address =
        EngineSettings.address(settings, System.getenv(), LocalAccess.ofThisMachine().streams());
    EngineSettings.defaults(settings);
    try {
      Engine engine = new Engine(address);
      Engine.Version version = engine.version();
      // The version is told to everybody; jobs need an answer in a version that we know.
      engine.ping();
      if (!version.os().isEmpty() && !version.os().equals("linux")) {
        throw new BackendException.BadConfig(
            "host",
            "does not suit: the engine runs " + version.os() + " containers, and jobs need linux");
      }
    } catch (EngineException failure) {
      throw new BackendException.BadConfig(
          "host",
          "does not work: "
              + failure.words()
              + "; is the engine running, and may the server's user open its socket?");
    }
  }

  @Override
  public Compute open(DockerSettings settings, BackendContext context) {
    Executables executables = Executables.of(System.getenv().getOrDefault("PATH", ""));
    return open(
        settings,
        context,
        executables,
        GpuInventory.ofThisMachine(executables),
        new AmdDeviceFiles(Path.of("/")));
  }

  /** With what tells of the accelerators of the engine's machine. */
  static DockerCompute open(
      DockerSettings settings,
      BackendContext context,
      Executables executables,
      GpuInventory inventory,
      AmdDeviceFiles amd) {
    MachineAccess machine = LocalAccess.ofThisMachine();
    Engine engine =
        new Engine(EngineSettings.address(settings, System.getenv(), machine.streams()));
    Integer most = settings.given().gpus();
    EngineGpus gpus =
        new EngineGpus(
            engine, most == null ? Integer.MAX_VALUE : most, executables, inventory, amd);
    try {
      DockerRuntime runtime =
          new DockerRuntime(
              new DockerHost(
                  engine,
                  machine,
                  MachinePath.of(context.dataDirectory().resolve("jobs").toString()),
                  context.owner(),
                  context.backend(),
                  TRAITS,
                  EngineSettings.defaults(settings),
                  EngineSettings.images(settings),
                  gpus::given,
                  context.archives(),
                  context.clock()));
      return new DockerCompute(
          context.backend(), settings, context.dataDirectory(), engine, runtime, gpus);
    } catch (HostException failure) {
      throw HostFailures.translate(failure);
    }
  }
}
