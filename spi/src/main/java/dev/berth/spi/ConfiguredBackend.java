package dev.berth.spi;

import dev.berth.model.Secret;
import dev.berth.spi.config.ConfigReader;
import dev.berth.spi.config.ConfigTree;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A type together with a configuration of its own. */
public record ConfiguredBackend<C extends Record>(BackendType<C> type, C config) {
  /**
   * Reads a configuration as its type wants it.
   *
   * @throws BackendException.BadConfig with everything that is wrong
   */
  public static <C extends Record> ConfiguredBackend<C> of(
      BackendType<C> type, Map<String, ? extends @Nullable Object> tree) {
    return new ConfiguredBackend<>(type, ConfigReader.read(type.config(), tree));
  }

  public void check(BackendContext context) {
    type.check(config, context);
  }

  public Map<String, String> prepare(BackendContext context) {
    return type.prepare(config, context);
  }

  public void undo(BackendContext context) {
    type.undo(config, context);
  }

  public Compute open(BackendContext context) {
    return type.open(config, context);
  }

  /** The configuration as it can be shown. */
  public Map<String, Object> redacted() {
    return ConfigTree.redacted(config);
  }

  /** All that is secret in the configuration. */
  public List<Secret> secrets() {
    return ConfigTree.secrets(config);
  }

  /** Secrets hide themselves, but records of a careless type may not. */
  @Override
  public String toString() {
    return "ConfiguredBackend[" + type.name() + "]";
  }
}
