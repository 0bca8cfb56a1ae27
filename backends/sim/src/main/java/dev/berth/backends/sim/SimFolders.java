package dev.berth.backends.sim;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.process.FolderMachine;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machines on which Berth runs jobs, a folder each. A folder appears when its machine is shown
 * as ready. When the cloud is asked about machines, whatever stands for one that is gone is powered
 * off.
 */
record SimFolders(SimCloud cloud, Path folder) {
  /** The same resource with the folder as its address, if it is a machine that is ready. */
  Found addressed(Found found) {
    return addressed(found, _ -> {});
  }

  /** The same, whose folder is there. */
  Found booted(Found found) {
    return addressed(found, FolderMachine::boot);
  }

  private Found addressed(Found found, Consumer<FolderMachine> first) {
    MachineAddress simulated = found.access();
    if (simulated == null || found.ref().type() != ResourceType.INSTANCE) {
      return found;
    }
    FolderMachine machine = machine(found.ref().id());
    first.accept(machine);
    return found.withAccess(
        MachineAddress.of(machine.address()).withPrivateAddress(loopback(simulated)));
  }

  /** On Linux all that begins with 127 is this machine, so that jobs reach each other there. */
  private static @Nullable String loopback(MachineAddress simulated) {
    String inNetwork = simulated.privateAddress();
    return inNetwork == null ? null : "127" + inNetwork.substring(inNetwork.indexOf('.'));
  }

  private FolderMachine machine(String id) {
    return new FolderMachine(
        MachinePath.of(folder.resolve(id).toAbsolutePath().toString()), LocalAccess::withHome);
  }

  /** Ends what runs on machines that are gone. */
  void powerOffWhatIsGone() {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Set<String> there =
        cloud.holdings().stream().map(Holding::id).collect(Collectors.toUnmodifiableSet());
    for (String id : known()) {
      if (!there.contains(id)) {
        machine(id).powerOff();
      }
    }
  }

  private List<String> known() {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.map(path -> path.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new BackendException.Transient(
          "the folders of simulated machines cannot be listed", new UncheckedIOException(e));
    }
  }
}
