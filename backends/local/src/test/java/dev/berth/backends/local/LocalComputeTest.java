package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.model.Accelerator;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.ConfiguredBackend;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalComputeTest {
  @TempDir Path folder;

  private static BackendType<?> local() {
    return ServiceLoader.load(BackendType.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(type -> type.name().equals("local"))
        .toList()
        .getFirst();
  }

  private BackendContext context() {
    return new BackendContext("local", new Owner("test"), folder, Map.of(), InstantSource.system());
  }

  private Compute open(Map<String, Object> settings) {
    return ConfiguredBackend.of(local(), settings).open(context());
  }

  @Test
  void theServiceLoaderFindsIt() {
    assertThat(local()).isInstanceOf(LocalBackendType.class);
  }

  @Test
  void thisMachineIsTheOnlyOne() throws IOException {
    try (Compute compute = open(Map.of())) {
      List<OwnMachine> machines = compute.ownMachines();
      assertThat(machines).hasSize(1);
      OwnMachine machine = machines.getFirst();
      assertThat(machine.id()).isEqualTo("local");
      assertThat(machine.name())
          .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
      assertThat(machine.region()).isEqualTo("local");
      ResourceVector capacity = machine.capacity();
      assertThat(capacity.slots()).isEqualTo(32);
      assertThat(capacity.cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(capacity.memoryMib()).isBetween(64L, 1L << 30);
      assertThat(capacity.diskMib()).isPositive();
      assertThat(capacity.devices())
          .containsExactlyInAnyOrderElementsOf(
              machine.accelerators().stream().map(Accelerator::id).toList());
    }
  }

  private OwnMachine machine(Map<String, Object> settings, GpuInventory gpus) {
    try (LocalCompute compute =
        LocalBackendType.open(
            "local",
            folder.resolve("data"),
            ConfigReader.read(LocalSettings.class, settings),
            gpus,
            Archives.NONE)) {
      return compute.ownMachines().getFirst();
    }
  }

  @Test
  void backendsOfDifferentNamesHaveDifferentMachines() {
    for (String name : List.of("yard", "shed")) {
      BackendContext context =
          new BackendContext(
              name, new Owner("owner"), folder.resolve(name), Map.of(), InstantSource.system());
      try (Compute compute = new LocalBackendType().open(LocalSettings.USUAL, context)) {
        OwnMachine machine = compute.ownMachines().getFirst();
        assertThat(machine.id()).isEqualTo(name);
      }
    }
  }

  @Test
  void overridesReplaceWhatTheMachineHas() throws IOException {
    GpuInventory gpus = new FakeTools(folder).with("nvidia-smi", FakeTools.TWO_NVIDIA).inventory();
    Map<String, Object> capacity = Map.of("cpus", 64, "memory", "1TB", "disk", 500, "gpus", 1);
    OwnMachine machine = machine(Map.of("slots", 2, "capacity", capacity), gpus);
    assertThat(machine.capacity())
        .isEqualTo(new ResourceVector(2, 64, 1 << 20, 500, Set.of("GPU-aaaa")));
    assertThat(machine.accelerators())
        .containsExactly(new Accelerator("GPU-aaaa", "nvidia", "A100", 81920));
  }

  @Test
  void devicesAreFoundByTheToolsOfTheirVendors() throws IOException {
    GpuInventory gpus =
        new FakeTools(folder)
            .with("nvidia-smi", FakeTools.TWO_NVIDIA)
            .with("amd-smi", FakeTools.TWO_AMD)
            .inventory();
    OwnMachine machine = machine(Map.of(), gpus);
    assertThat(machine.accelerators())
        .extracting(Accelerator::vendor)
        .containsExactly("nvidia", "nvidia", "amd", "amd");
    assertThat(machine.capacity().devices()).hasSize(4);
    assertThat(machine(Map.of("capacity", Map.of("gpus", 0)), gpus).accelerators()).isEmpty();
    assertThat(machine(Map.of("capacity", Map.of("gpus", 9)), gpus).accelerators()).hasSize(4);
  }

  @Test
  void wrongSettingsAreRefused() {
    assertThatThrownBy(() -> open(Map.of("slots", "x")))
        .hasMessageContaining("'slots'")
        .isInstanceOf(BackendException.BadConfig.class);
  }
}
