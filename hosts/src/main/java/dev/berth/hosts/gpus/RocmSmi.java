package dev.berth.hosts.gpus;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Speaks with {@code rocm-smi}, which machines without {@code amd-smi} have. */
final class RocmSmi {
  static final List<String> ARGUMENTS =
      List.of("--showproductname", "--showuniqueid", "--showmeminfo", "vram", "--json");

  /** With all that the ids are made of. */
  static final List<String> USE_ARGUMENTS =
      Stream.concat(Stream.of("--showuse"), ARGUMENTS.stream()).toList();

  private RocmSmi() {}

  static List<Gpu> parse(String output) {
    return AmdGpus.identify(cards(output).stream().map(RocmSmi::reported).toList());
  }

  /** Percentages by id. */
  static Map<String, Integer> parseUse(String output) {
    List<JsonNode> cards = cards(output);
    List<Gpu> gpus = AmdGpus.identify(cards.stream().map(RocmSmi::reported).toList());
    Map<String, Integer> use = new LinkedHashMap<>();
    for (int position = 0; position < cards.size(); position++) {
      String id = gpus.get(position).id();
      JsonOutput.text(cards.get(position), "GPU use (%)")
          .flatMap(Percent::read)
          .ifPresent(percent -> use.put(id, percent));
    }
    return use;
  }

  private static List<JsonNode> cards(String output) {
    JsonNode root = JsonOutput.read(output);
    if (!root.isObject()) {
      throw new UnreadableOutputException("expected an object with cards");
    }
    // Next to the cards there may be a part for the whole system.
    return root.propertyStream()
        .filter(property -> property.getKey().matches("card[0-9]{1,6}"))
        .sorted(Comparator.comparingInt(RocmSmi::number))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static int number(Map.Entry<String, JsonNode> card) {
    return Integer.parseInt(card.getKey().substring("card".length()));
  }

  private static AmdGpus.Reported reported(JsonNode card) {
    String name =
        JsonOutput.text(card, "Card Series")
            .or(() -> JsonOutput.text(card, "Device Name"))
            .or(() -> JsonOutput.text(card, "Card Model"))
            .orElse("AMD GPU");
    long bytes =
        JsonOutput.text(card, "VRAM Total Memory (B)")
            .filter(text -> text.matches("[0-9]{1,18}"))
            .map(Long::parseLong)
            .orElse(0L);
    return new AmdGpus.Reported(JsonOutput.text(card, "Unique ID").orElse(""), name, bytes >> 20);
  }
}
