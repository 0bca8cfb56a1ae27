package dev.berth.hosts.gpus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns what the vendors' tools call an accelerator into the spelling of the catalog, where the
 * catalog has one. What is not known keeps its words, without the marketing ones and the spaces.
 */
final class GpuNames {
  /** A model that is one word, whatever form factor and memory follow: {@code A100-SXM4-80GB}. */
  private static final Pattern NVIDIA_MODEL =
      Pattern.compile("((?:GH|GB|[ABHKLMPTV])[0-9]{1,4}[A-Z]?)(?:[ -].*)?");

  /** Workstation cards that the catalog knows by their number alone: {@code RTX A6000}. */
  private static final Pattern NVIDIA_WORKSTATION = Pattern.compile("RTX (A[0-9]{4}.*)");

  private static final Pattern AMD_INSTINCT =
      Pattern.compile("\\b(MI[0-9]{2,3}[A-Z]?)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern BRACKETS = Pattern.compile(".*\\[(.*)].*");
  private static final Pattern GAUDI = Pattern.compile("HL-?([0-9])([0-9])[0-9].*");
  private static final Pattern AMOUNT = Pattern.compile("[0-9]+GB?");

  private static final Set<String> MARKETING =
      Set.of(
          "nvidia",
          "tesla",
          "geforce",
          "quadro",
          "grid",
          "gpu",
          "generation",
          "blackwell",
          "server",
          "workstation",
          "edition",
          "with",
          "max-q",
          "design");
  private static final Set<String> AMD_MARKETING =
      Set.of("amd", "ati", "radeon", "instinct", "pro", "ai", "graphics", "mxgpu");

  private GpuNames() {}

  static String canonical(Vendor vendor, String reported) {
    String text = reported.replaceAll("\\((TM|R)\\)|[™®]", "").replaceAll("\\s+", " ").strip();
    String name =
        switch (vendor) {
          case NVIDIA -> nvidia(text);
          case AMD -> amd(text);
          case INTEL -> gaudi(text);
          case TENSTORRENT -> tenstorrent(text);
        };
    return name.isEmpty() ? text : name;
  }

  private static String nvidia(String text) {
    String model = text;
    for (String brand : List.of("NVIDIA ", "GRID ", "Tesla ", "GeForce ", "Quadro ")) {
      model = model.startsWith(brand) ? model.substring(brand.length()) : model;
    }
    Matcher oneWord = NVIDIA_MODEL.matcher(model);
    if (oneWord.matches()) {
      // Another memory, and another entry of the catalog.
      return model.equals("H100 NVL") ? "H100NVL" : oneWord.group(1);
    }
    Matcher workstation = NVIDIA_WORKSTATION.matcher(model);
    return join(workstation.matches() ? workstation.group(1) : model, MARKETING);
  }

  private static String amd(String text) {
    Matcher instinct = AMD_INSTINCT.matcher(text);
    if (instinct.find()) {
      return instinct.group(1).toUpperCase(Locale.ROOT);
    }
    // A list of PCI devices was asked: the chip, and in brackets what it is sold as.
    Matcher sold = BRACKETS.matcher(text);
    return join(sold.matches() ? sold.group(1) : text, AMD_MARKETING);
  }

  private static String gaudi(String text) {
    Matcher card = GAUDI.matcher(text);
    if (!card.matches()) {
      return text;
    }
    if (card.group(1).equals("2")) {
      return card.group(2).equals("0") ? "Gaudi" : "Gaudi2";
    }
    return card.group(1).equals("3") ? "Gaudi3" : text;
  }

  private static String tenstorrent(String text) {
    String board = text.toLowerCase(Locale.ROOT).replaceFirst(" [lr]$", "");
    return switch (board) {
      case "p100", "bh-scrappy" -> "p100a";
      case "p150a", "p150b", "p150c" -> "p150";
      case "p300a", "p300b", "p300c" -> "p300";
      default -> board;
    };
  }

  private static String join(String text, Set<String> without) {
    Stream<String> words =
        Arrays.stream(text.replaceAll("\\(.*\\)", "").split(" "))
            .filter(word -> !without.contains(word.toLowerCase(Locale.ROOT)))
            .filter(word -> !AMOUNT.matcher(word).matches());
    return words.collect(Collectors.joining());
  }
}
