package dev.berth.spi.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A configuration of which a part is filled in. */
public final class PartialConfig {
  private final Map<String, @Nullable Object> tree;

  public PartialConfig(Map<String, @Nullable Object> tree) {
    this.tree = new LinkedHashMap<>(tree);
  }

  /**
   * A field of the top level, such as the credentials.
   *
   * @param type as the record's component has it
   * @return empty where it is not filled in
   * @throws dev.berth.spi.BackendException.BadConfig where it is wrong
   */
  public <T> Optional<T> find(String field, Class<T> type) {
    Object value = tree.get(field);
    return value == null ? Optional.empty() : Optional.of(ConfigReader.read(field, value, type));
  }
}
