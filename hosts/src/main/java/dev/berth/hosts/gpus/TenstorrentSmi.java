package dev.berth.hosts.gpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Speaks with {@code tt-smi}. It lists chips; those that hang on another chip of their board rather
 * than on the machine's bus can only be had together with that one, so they add to its memory.
 */
final class TenstorrentSmi {
  static final List<String> ARGUMENTS = List.of("-s", "--snapshot_no_tty");

  private static final long GIB = 1024;

  private TenstorrentSmi() {}

  private record Chip(String board, String bus, String name) {
    boolean onBus() {
      return !bus.isEmpty();
    }
  }

  static List<Gpu> parse(String output) {
    JsonNode list = JsonOutput.read(output).path("device_info");
    if (!list.isArray()) {
      throw new UnreadableOutputException("expected a list of devices");
    }
    List<Chip> chips = new ArrayList<>();
    for (JsonNode device : list) {
      chips.add(chip(device.path("board_info")));
    }
    Map<String, Long> remoteMib = new HashMap<>();
    chips.stream()
        .filter(chip -> !chip.onBus())
        .forEach(chip -> remoteMib.merge(chip.board(), mib(chip.name()), Long::sum));
    List<Gpu> gpus = new ArrayList<>();
    for (Chip chip : chips) {
      if (chip.onBus()) {
        Long remote = remoteMib.remove(chip.board());
        gpus.add(
            new Gpu(
                "tt-" + chip.bus(),
                Vendor.TENSTORRENT,
                chip.name(),
                mib(chip.name()) + (remote == null ? 0 : remote),
                String.valueOf(gpus.size())));
      }
    }
    return gpus;
  }

  private static Chip chip(JsonNode board) {
    return new Chip(
        JsonOutput.text(board, "board_id").orElse(""),
        JsonOutput.text(board, "bus_id").orElse(""),
        GpuNames.canonical(
            Vendor.TENSTORRENT, JsonOutput.text(board, "board_type").orElse("Tenstorrent")));
  }

  /** The memory of one chip, which the tool does not tell; 0 where we do not know it either. */
  private static long mib(String name) {
    return switch (name) {
      case "n150", "n300", "tt-galaxy-wh" -> 12 * GIB;
      case "p100a" -> 28 * GIB;
      case "p150", "p300", "tt-galaxy-bh" -> 32 * GIB;
      default -> 0;
    };
  }
}
