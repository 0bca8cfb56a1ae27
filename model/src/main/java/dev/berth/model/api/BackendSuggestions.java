package dev.berth.model.api;

import java.util.List;

/** What could be written into settings that are not filled in. */
public record BackendSuggestions(List<Field> fields) {
  public record Field(String path, List<Choice> choices) {}

  public record Choice(String value, String label, boolean recommended) {}
}
