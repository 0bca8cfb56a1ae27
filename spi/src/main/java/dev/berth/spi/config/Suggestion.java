package dev.berth.spi.config;

import java.util.List;

/** Values that a field could have. */
public record Suggestion(String path, List<Choice> choices) {
  public Suggestion {
    choices = List.copyOf(choices);
  }

  /**
   * One of them.
   *
   * @param value as it would be written
   * @param label for people
   * @param recommended whether it is a good start
   */
  public record Choice(String value, String label, boolean recommended) {}
}
