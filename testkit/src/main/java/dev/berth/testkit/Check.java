package dev.berth.testkit;

import dev.berth.spi.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One promise of the contract, and how it is seen to be kept.
 *
 * @param name in lower case with dashes, the same for ever: known deviations name it
 * @param sentence what must hold
 * @param parts what the backend must be for the check to make sense
 * @param uses what the backend must be able to do; null where that does not matter
 * @param refuses what the backend must have opted out of; null where that does not matter
 */
public record Check(
    String name,
    Area area,
    String sentence,
    Set<Part> parts,
    @Nullable Trait uses,
    @Nullable Trait refuses,
    Body body) {
  /** What a check does; it throws where the promise is broken. */
  @FunctionalInterface
  public interface Body {
    void run(Trial trial) throws Exception;
  }

  public Check {
    parts = Set.copyOf(parts);
    if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      throw new IllegalArgumentException("a check has a name in lower case with dashes: " + name);
    }
  }

  public static Check of(Area area, String name, String sentence, Body body) {
    return new Check(name, area, sentence, Set.of(), null, null, body);
  }

  /** The same, only for backends with these parts. */
  public Check needing(Part... more) {
    EnumSet<Part> all = EnumSet.noneOf(Part.class);
    all.addAll(parts);
    all.addAll(List.of(more));
    return new Check(name, area, sentence, all, uses, refuses, body);
  }

  /** The same, only for backends that have a trait. */
  public Check using(Trait trait) {
    return new Check(name, area, sentence, parts, trait, refuses, body);
  }

  /** The same, only for backends that opted out of a trait. */
  public Check refusing(Trait trait) {
    return new Check(name, area, sentence, parts, uses, trait, body);
  }

  /** Why the check makes no sense for a backend; empty where it does. */
  Optional<String> idle(Trial trial) {
    if (uses != null && !trial.traits().has(uses)) {
      return Optional.of("it opted out of " + uses.words());
    }
    if (refuses != null && trial.traits().has(refuses)) {
      return Optional.of("it has " + refuses.words());
    }
    return parts.stream().sorted().flatMap(part -> part.lacking(trial).stream()).findFirst();
  }
}
