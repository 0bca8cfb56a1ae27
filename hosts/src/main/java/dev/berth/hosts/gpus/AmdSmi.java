package dev.berth.hosts.gpus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Speaks with {@code amd-smi}, of ROCm 6 (a list) and 7 (a list in {@code gpu_data}). */
final class AmdSmi {
  static final List<String> ARGUMENTS = List.of("static", "--asic", "--vram", "--json");

  static final List<String> USE_ARGUMENTS = List.of("metric", "--usage", "--json");

  private AmdSmi() {}

  static List<Gpu> parse(String output) {
    JsonNode list = list(output);
    List<AmdGpus.Reported> reported = new ArrayList<>();
    for (JsonNode gpu : list) {
      JsonNode asic = gpu.path("asic");
      JsonNode vram = gpu.path("vram");
      reported.add(
          new AmdGpus.Reported(
              JsonOutput.text(asic, "asic_serial").orElse(""),
              JsonOutput.text(asic, "market_name")
                  .or(() -> JsonOutput.text(asic, "device_id"))
                  .orElse("AMD GPU"),
              mib(vram.has("size") ? vram.path("size") : vram.path("vram_size"))));
    }
    return AmdGpus.identify(reported);
  }

  private static JsonNode list(String output) {
    JsonNode root = JsonOutput.read(output);
    JsonNode list = root.isArray() ? root : root.path("gpu_data");
    if (!list.isArray()) {
      throw new UnreadableOutputException("expected a list of GPUs");
    }
    return list;
  }

  /**
   * Percentages by id. The tool tells them by position only, so they are matched with those that it
   * lists.
   */
  static Map<String, Integer> parseUse(String output, List<Gpu> gpus) {
    JsonNode list = list(output);
    if (list.size() != gpus.size()) {
      throw new UnreadableOutputException(
          "it tells of %d GPUs and lists %d".formatted(list.size(), gpus.size()));
    }
    Map<String, Integer> use = new LinkedHashMap<>();
    for (int position = 0; position < gpus.size(); position++) {
      String id = gpus.get(position).id();
      JsonNode busy = list.get(position).path("usage").path("gfx_activity");
      Percent.read((busy.isObject() ? busy.path("value") : busy).asString(""))
          .ifPresent(percent -> use.put(id, percent));
    }
    return use;
  }

  /** {@code {"value": 196592, "unit": "MB"}}; the tool's megabytes are mebibytes. */
  private static long mib(JsonNode size) {
    long value = size.path("value").asLong(0);
    return switch (size.path("unit").asString("MB").toUpperCase(Locale.ROOT)) {
      case "B" -> value >> 20;
      case "KB" -> value >> 10;
      case "GB" -> value << 10;
      default -> value;
    };
  }
}
