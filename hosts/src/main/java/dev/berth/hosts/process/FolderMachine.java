package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Cgroups;
import dev.berth.hosts.access.Executables;
import dev.berth.hosts.jobdir.FolderDeletion;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.spi.Archives;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A folder on the server's own machine that stands for a machine of a simulated cloud. Its jobs are
 * processes of the server's machine, with a home folder of their own.
 */
public record FolderMachine(Path folder) {
  /** What the addresses of such machines begin with. */
  private static final String SCHEME = "folder:";

  private static final Traits TRAITS =
      Traits.of(Traits.Base.HOSTS)
          .without(
              Trait.IMAGES,
              Trait.PRIVILEGED,
              Trait.INSTANCE_VOLUMES,
              Trait.QUEUE_POSITION,
              Trait.REWRITING,
              Trait.GPU_METRICS)
          .with(Trait.FILES, Trait.USAGE);

  /** The machine at an address; empty for the address of a real one. */
  public static Optional<FolderMachine> at(String address) {
    return address.startsWith(SCHEME)
        ? Optional.of(new FolderMachine(Path.of(address.substring(SCHEME.length()))))
        : Optional.empty();
  }

  /** What {@link #at} finds it by. */
  public String address() {
    return SCHEME + folder;
  }

  private Path jobs() {
    return folder.resolve("jobs");
  }

  private Path home() {
    return folder.resolve("home");
  }

  /** Creates the folder. Idempotent. */
  public void boot() {
    try {
      Files.createDirectories(jobs());
      Files.createDirectories(home());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the machine is there. */
  public boolean isThere() {
    return Files.isDirectory(home());
  }

  /** Kills all jobs, and deletes the folder. Idempotent; silent if it is gone. */
  public void powerOff() {
    if (!Files.isDirectory(folder)) {
      return;
    }
    ProcessRuntime processes = new ProcessRuntime(settings());
    for (Observation job : processes.observeAll()) {
      processes.remove(job.attemptId());
    }
    FolderDeletion.deleteTree(folder);
  }

  /**
   * Opens the machine for jobs.
   *
   * @throws HostException if the server's machine lacks something that jobs need
   */
  public ProcessJobRuntime open(Archives archives) {
    return new ProcessJobRuntime(
        settings(),
        TRAITS,
        // Simulated accelerators are no devices that a process could see.
        _ -> Map.of(),
        Executables.of(System.getenv().getOrDefault("PATH", "")).defaultShell(),
        archives);
  }

  private HostSettings settings() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("HOME", home().toString());
    return new HostSettings(
        jobs(), List.of("/bin/sh"), environment, Cgroups.detect(), InstantSource.system());
  }
}
