package dev.berth.simulation;

import dev.berth.simulation.plan.Choice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** The seeds that once found something, which are lived again in every build. */
public final class KeptSeeds {
  private static final String FILE = "kept-seeds.txt";

  private KeptSeeds() {}

  /**
   * A seed that found something.
   *
   * @param more what had to be drawn besides what is drawn today
   * @param why what it found
   */
  public record Kept(long seed, Set<Choice> more, String why) {
    public Kept {
      more = more.isEmpty() ? Set.of() : EnumSet.copyOf(more);
    }
  }

  public static List<Kept> all() {
    try (InputStream file =
        Objects.requireNonNull(KeptSeeds.class.getResourceAsStream(FILE), FILE)) {
      return read(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads lines of a seed, choices in words that are drawn too, and a reason after a colon. */
  static List<Kept> read(String text) {
    List<Kept> seeds = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException("a kept seed says why after a colon: " + line);
      }
      List<String> words = List.of(line.substring(0, colon).strip().split(" +"));
      Set<Choice> more = EnumSet.noneOf(Choice.class);
      words.stream()
          .skip(1)
          .map(word -> Choice.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
          .forEach(more::add);
      seeds.add(
          new Kept(Long.parseLong(words.getFirst()), more, line.substring(colon + 1).strip()));
    }
    return seeds;
  }
}
