package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.spi.Archives;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A folder that stands for a machine of a simulated cloud. Its jobs are processes of the machine
 * that has the folder, with a home folder of their own.
 *
 * @param folder is absolute
 * @param hosts the way into the machine that has the folder, with a given home folder; whoever gets
 *     it closes it
 */
public record FolderMachine(MachinePath folder, Function<MachinePath, MachineAccess> hosts) {
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
  public static Optional<FolderMachine> at(
      String address, Function<MachinePath, MachineAccess> hosts) {
    return address.startsWith(SCHEME)
        ? Optional.of(new FolderMachine(MachinePath.of(address.substring(SCHEME.length())), hosts))
        : Optional.empty();
  }

  /** What {@link #at} finds it by. */
  public String address() {
    return SCHEME + folder.text();
  }

  private MachinePath jobs() {
    return folder.resolve("jobs");
  }

  private MachinePath home() {
    return folder.resolve("home");
  }

  /** Creates the folder. Idempotent. */
  public void boot() {
    try (MachineAccess host = hosts.apply(home())) {
      host.files().createFolders(jobs());
      host.files().createFolders(home());
    }
  }

  /** Whether the machine is there. */
  public boolean isThere() {
    try (MachineAccess host = hosts.apply(home())) {
      return host.files().isFolder(home());
    }
  }

  /** Kills all jobs, and deletes the folder. Idempotent; silent if it is gone. */
  public void powerOff() {
    try (MachineAccess host = hosts.apply(home())) {
      if (!host.files().isFolder(folder)) {
        return;
      }
      ProcessRuntime processes = new ProcessRuntime(HostSettings.of(host, jobs()));
      for (Observation job : processes.observeAll()) {
        processes.remove(job.attemptId());
      }
      host.files().deleteTree(folder);
    }
  }

  /**
   * Opens the machine for jobs.
   *
   * @throws HostException if the machine that has the folder lacks something that jobs need
   */
  public ProcessJobRuntime open(Archives archives) {
    return new ProcessJobRuntime(
        HostSettings.of(hosts.apply(home()), jobs()),
        TRAITS,
        // Simulated accelerators are no devices that a process could see.
        _ -> Map.of(),
        archives);
  }
}
