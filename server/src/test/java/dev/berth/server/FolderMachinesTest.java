package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.control.MachineConnector;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.Endpoint;
import dev.berth.model.MachineFacts;
import dev.berth.model.ResourceType;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.Offers;
import dev.berth.spi.Owner;
import dev.berth.spi.Reach;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How Berth comes to machines that are folders, and to which it does not. */
final class FolderMachinesTest {
  private static final FolderMachines MACHINES =
      new FolderMachines(Archives.NONE, "ssh-ed25519 AAAA");

  @TempDir private Path base;

  private record Cloud(Reach reach) implements Compute {
    @Override
    public Traits traits() {
      return Traits.of(Traits.Base.MACHINES);
    }

    @Override
    public Identity identity() {
      return new Identity.Token();
    }

    @Override
    public Offers offers() {
      return new Offers.OwnMachines();
    }

    @Override
    public void close() {}
  }

  private static MachineConnector.Machine machine(String address) {
    return machine(Reach.FOLDER, address);
  }

  private static MachineConnector.Machine machine(Reach reach, String address) {
    ResourceRef ref = new ResourceRef(ResourceType.INSTANCE, "key", "m-1", "north", Map.of());
    return new MachineConnector.Machine(
        "cloud", new Cloud(reach), "key", ref, Endpoint.of(address));
  }

  private static void assertPermanent(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(BackendException.Permanent.class)
        .message()
        .contains(words);
  }

  private Path made(String id) throws IOException {
    Path folder = base.resolve(id);
    Files.createDirectories(folder.resolve("home"));
    Files.writeString(folder.resolve("machine-id"), id);
    return folder;
  }

  @Test
  void onlyBackendsThatSayFolderAreReached() {
    assertThat(MACHINES.equipmentOn(new Cloud(Reach.FOLDER)).orElseThrow().execution())
        .isEqualTo(Candidate.Execution.PROCESSES);
    assertThat(MACHINES.equipmentOn(new Cloud(Reach.SSH))).isEmpty();
    for (MachineConnector.Equipment equipment :
        List.of(
            MACHINES.equipmentByBackend(),
            MACHINES.equipmentOn(new Cloud(Reach.FOLDER)).orElseThrow())) {
      assertThat(equipment.boots().in(new BootWay.OverSsh()))
          .isEqualTo(new Boot("", List.of("ssh-ed25519 AAAA")));
    }
  }

  @Test
  void aFolderThatWasMadeForTheMachineIsUsedWhileItIsThere() throws IOException {
    Path folder = made("m-1");
    try (MachineConnector.Connection connection = MACHINES.connect(machine("folder:" + folder))) {
      assertThat(connection.facts()).isEqualTo(MachineFacts.AS_OFFERED);
      assertThat(connection.jobs().list(new Owner("ours"))).isEmpty();
      Files.delete(folder.resolve("home"));
      assertThatThrownBy(connection::jobs)
          .isInstanceOf(BackendException.Transient.class)
          .hasMessageContaining("does not answer");
    }
  }

  @Test
  void aProviderCannotChooseAnyFolder() throws IOException {
    Path other = made("m-2");
    assertPermanent(
        () -> MACHINES.connect(machine("folder:" + other)), "m-1", "folder:" + other, "'m-2'");
    assertPermanent(() -> MACHINES.connect(machine("folder:home")), "absolute");
    assertPermanent(() -> MACHINES.connect(machine("10.0.0.7")), "'10.0.0.7'");
    assertPermanent(() -> MACHINES.connect(machine("folder:/a\0b")), "NUL");
    Path wanted = made("m-1");
    assertPermanent(
        () -> MACHINES.connect(machine(Reach.SSH, "folder:" + wanted)), "'folder:" + wanted);
    Files.delete(wanted.resolve("machine-id"));
    assertThatThrownBy(() -> MACHINES.connect(machine("folder:" + wanted)))
        .isInstanceOf(BackendException.Transient.class)
        .hasMessageContaining("machine-id");
    assertThat(wanted).isDirectoryNotContaining("glob:**jobs");
  }
}
