package dev.berth.backends.docker;

import dev.berth.hosts.access.local.Executables;
import dev.berth.hosts.container.DockerHost;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.gpus.AmdDeviceFiles;
import dev.berth.hosts.gpus.DeviceVariables;
import dev.berth.hosts.gpus.Gpu;
import dev.berth.hosts.gpus.GpuInventory;
import dev.berth.hosts.gpus.Vendor;
import dev.berth.spi.BackendException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The accelerators of the engine's machine, as far as the engine can give them to containers. An
 * engine on a Unix socket is on our machine, so they are found here.
 */
final class EngineGpus {
  private static final System.Logger LOGGER = System.getLogger(EngineGpus.class.getName());

  private final Engine engine;
  private final int most;
  private final Executables executables;
  private final GpuInventory inventory;
  private final AmdDeviceFiles amd;

  /** What was last found and could not be given, so that it is said once. Written by offers. */
  private volatile List<String> withheld = List.of();

  /**
   * Looks at nothing yet.
   *
   * @param most how many of them are offered; with 0 nobody looks for any
   * @param executables of the machine, among which the toolkits of vendors are
   */
  EngineGpus(
      Engine engine,
      int most,
      Executables executables,
      GpuInventory inventory,
      AmdDeviceFiles amd) {
    this.engine = engine;
    this.most = most;
    this.executables = executables;
    this.inventory = inventory;
    this.amd = amd;
  }

  /** Those that jobs can be given now, the first ones. */
  List<Gpu> offered(Engine.Machine machine) {
    List<Gpu> found = most == 0 ? List.of() : inventory.look();
    if (found.isEmpty()) {
      return List.of();
    }
    NvidiaWay way = NvidiaWay.of(engine.version(), machine, executables);
    Map<String, Path> files = amd.files(found);
    List<Gpu> given =
        found.stream()
            .filter(
                gpu ->
                    switch (gpu.vendor()) {
                      case NVIDIA -> isGiven(gpu, way, machine);
                      case AMD -> files.containsKey(gpu.id());
                      // Their containers need more than a device.
                      case INTEL, TENSTORRENT -> false;
                    })
            .toList();
    tellOfOthers(found, given);
    return given.subList(0, Math.min(most, given.size()));
  }

  private static boolean isGiven(Gpu gpu, NvidiaWay way, Engine.Machine machine) {
    return switch (way) {
      case DRIVER -> true;
      case CDI -> machine.cdiDevices().contains(NvidiaWay.cdiName(gpu.id()));
      case NONE -> false;
    };
  }

  private void tellOfOthers(List<Gpu> found, List<Gpu> given) {
    List<String> others =
        found.stream()
            .filter(gpu -> !given.contains(gpu))
            .map(gpu -> gpu.id() + " (" + gpu.vendor().word() + ")")
            .toList();
    if (!others.equals(withheld)) {
      withheld = others;
      if (!others.isEmpty()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "The engine cannot give these GPUs to containers, so they are not offered: "
                + String.join(", ", others));
      }
    }
  }

  /** Whether it is known how busy one is that may be offered. */
  boolean isAnyMeasurable() {
    return most > 0
        && inventory.seen().stream()
            .anyMatch(
                gpu ->
                    gpu.isMeasurable()
                        && (gpu.vendor() == Vendor.NVIDIA || gpu.vendor() == Vendor.AMD));
  }

  /**
   * What a job is given for the ids that were allocated to it.
   *
   * @throws BackendException.Transient where one of them is gone
   */
  DockerHost.Given given(Set<String> ids) {
    List<Gpu> machine = most == 0 && ids.isEmpty() ? List.of() : inventory.requireSeen(ids);
    List<Gpu> own = machine.stream().filter(gpu -> ids.contains(gpu.id())).toList();
    List<String> nvidia =
        own.stream().filter(gpu -> gpu.vendor() == Vendor.NVIDIA).map(Gpu::id).toList();
    boolean byName =
        !nvidia.isEmpty()
            && NvidiaWay.of(engine.version(), engine.info(), executables) == NvidiaWay.CDI;
    List<Path> files = files(machine, own);
    return new DockerHost.Given(
        new ContainerSpec.Devices(
            byName ? List.of() : nvidia,
            byName ? nvidia.stream().map(NvidiaWay::cdiName).toList() : List.of(),
            files.stream().map(Path::toString).toList(),
            AmdDeviceFiles.groups(files)),
        DeviceVariables.counts(ids.size()),
        hiding(machine, ids));
  }

  private List<Path> files(List<Gpu> machine, List<Gpu> own) {
    List<Gpu> ofAmd = own.stream().filter(gpu -> gpu.vendor() == Vendor.AMD).toList();
    if (ofAmd.isEmpty()) {
      return List.of();
    }
    Map<String, Path> known = amd.files(machine);
    List<Path> files = new ArrayList<>();
    for (Gpu gpu : ofAmd) {
      Path file = known.get(gpu.id());
      if (file == null) {
        throw new BackendException.Transient(
            "this machine does not show the device file of the GPU " + gpu.id() + " any more",
            null);
      }
      files.add(file);
    }
    return Stream.concat(Stream.of(amd.shared()), files.stream()).toList();
  }

  /** The engine's own variable says to NVIDIA's toolkit what to give, so it is left alone. */
  private static Map<String, String> hiding(List<Gpu> machine, Set<String> ids) {
    Map<String, String> variables = new LinkedHashMap<>(DeviceVariables.visible(machine, ids));
    variables.remove("NVIDIA_VISIBLE_DEVICES");
    return variables;
  }

  GpuInventory inventory() {
    return inventory;
  }
}
