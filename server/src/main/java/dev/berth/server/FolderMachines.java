package dev.berth.server;

import dev.berth.control.MachineConnector;
import dev.berth.hosts.HostException;
import dev.berth.hosts.HostFailures;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.process.FolderMachine;
import dev.berth.hosts.process.ProcessJobRuntime;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.MachineFacts;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Reach;
import java.util.List;
import java.util.Optional;

/**
 * Connects to machines of simulated clouds, which are folders of the server's own machine.
 *
 * @param sshKey the installation's public key, which all machines let in
 */
record FolderMachines(Archives archives, String sshKey) implements MachineConnector {
  @Override
  public Optional<Equipment> equipmentOn(Compute backend) {
    return backend.reach() == Reach.FOLDER
        ? Optional.of(equipment(Candidate.Execution.PROCESSES))
        : Optional.empty();
  }

  @Override
  public Equipment equipmentByBackend() {
    return equipment(Candidate.Execution.BACKEND);
  }

  /** A folder needs nothing first, and neither does what a backend runs jobs on. */
  private Equipment equipment(Candidate.Execution execution) {
    return new Equipment(execution, _ -> new Boot("", List.of(sshKey)));
  }

  @Override
  public Connection connect(Machine machine) {
    try {
      FolderMachine folder = folder(machine);
      requireGranted(folder, machine);
      return new FolderConnection(folder, folder.open(archives));
    } catch (HostException e) {
      throw HostFailures.translate(e);
    }
  }

  private static FolderMachine folder(Machine machine) {
    return FolderMachine.at(machine.endpoint().host(), LocalAccess::withHome)
        .filter(_ -> machine.compute().reach() == Reach.FOLDER)
        .orElseThrow(
            () ->
                new BackendException.Permanent(
                    "the machine has the address '"
                        + machine.endpoint().host()
                        + "', which this version cannot connect to",
                    null));
  }

  private static void requireGranted(FolderMachine folder, Machine machine) {
    switch (folder.claim(machine.ref().id())) {
      case FolderMachine.Claim.Granted _ -> {}
      case FolderMachine.Claim.NotYet(String reason) ->
          throw new BackendException.Transient(reason, null);
      case FolderMachine.Claim.Refused(String reason) ->
          throw new BackendException.Permanent(
              "the machine "
                  + machine.ref().id()
                  + " has the address '"
                  + machine.endpoint().host()
                  + "', which cannot be used: "
                  + reason,
              null);
    }
  }

  private static void requireThere(FolderMachine folder) {
    if (!folder.isThere()) {
      throw new BackendException.Transient("the machine does not answer", null);
    }
  }

  private record FolderConnection(FolderMachine folder, ProcessJobRuntime runtime)
      implements Connection {
    @Override
    public JobRuntime jobs() {
      requireThere(folder);
      return runtime;
    }

    @Override
    public MachineFacts facts() {
      return MachineFacts.AS_OFFERED;
    }

    @Override
    public void close() {
      runtime.close();
    }
  }
}
