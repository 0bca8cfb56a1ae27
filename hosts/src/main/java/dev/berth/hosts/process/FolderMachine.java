package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.spi.Archives;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A folder that stands for a machine of a simulated cloud. Its jobs are processes of the machine
 * that has the folder, with a home folder of their own.
 *
 * <p>A provider names the folder, and must not be able to make us run jobs in any folder it likes.
 * So a folder is a machine only if our own user made it for one, and wrote the machine's id into a
 * file there.
 *
 * @param folder as the address has it
 * @param hosts the way into the machine that has the folder, with a given home folder; whoever gets
 *     it closes it
 */
public record FolderMachine(MachinePath folder, Function<MachinePath, MachineAccess> hosts) {
  /** What the addresses of such machines begin with. */
  private static final String SCHEME = "folder:";

  private static final int LONGEST_ID = 1000;

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

  /** The file that holds the machine's id. */
  private MachinePath mark() {
    return folder.resolve("machine-id");
  }

  /** Creates the folder of a machine whose id is the folder's name. Idempotent. */
  public void boot() {
    try (MachineAccess host = hosts.apply(home())) {
      host.files().createFolders(jobs());
      host.files().createFolders(home());
      if (host.files().find(mark()).isEmpty()) {
        host.files().createOnce(mark(), folder.name());
      }
    }
  }

  /** What a folder is to somebody who wants to use it as a machine. */
  public sealed interface Claim {
    /** It is the machine. */
    record Granted() implements Claim {}

    /** Nothing says so far that it is a machine; one that is being made will. */
    record NotYet(String reason) implements Claim {}

    /** It must never be used as this machine. */
    record Refused(String reason) implements Claim {}
  }

  /**
   * Whether the folder is the machine with this id. Reads only.
   *
   * @param id what its provider calls it
   */
  public Claim claim(String id) {
    if (!folder.isAbsolute()) {
      return new Claim.Refused("the path of the folder must be absolute");
    }
    try (MachineAccess host = hosts.apply(home())) {
      if (!host.files().isFolder(home())) {
        return new Claim.NotYet("the machine does not answer");
      }
      if (!host.files().isOurs(folder)) {
        return new Claim.Refused("the folder belongs to another user than the server's");
      }
      String found =
          host.files()
              .read(mark(), 0, LONGEST_ID)
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
              .orElse("");
      if (found.isEmpty()) {
        return new Claim.NotYet("the folder has no file machine-id that holds the machine's id");
      }
      return found.equals(id)
          ? new Claim.Granted()
          : new Claim.Refused("the file machine-id there says that it is '" + found + "'");
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
