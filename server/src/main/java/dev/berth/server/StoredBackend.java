package dev.berth.server;

import dev.berth.model.BackendKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backend that was added or declared, as it is kept.
 *
 * @param project whose it is; null for one that was kept before backends belonged to projects,
 *     which all may use
 * @param declared whether the server's file declares it, which alone can change it
 * @param config as the user wrote it, with secrets
 * @param extras what preparing it returned
 */
public record StoredBackend(
    @Nullable String project,
    String name,
    String type,
    Map<String, @Nullable Object> config,
    Map<String, String> extras,
    State state,
    boolean declared) {
  public StoredBackend {
    config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    extras = Map.copyOf(extras);
  }

  /** What it is called in the whole installation. */
  String key() {
    return project == null ? name : BackendKey.of(project, name);
  }

  /** How far its life is: what is not ready is gone on with at the next start. */
  public enum State {
    PREPARING,
    READY,
    REMOVING
  }

  /** The same with other settings, which the provider has yet to see. */
  StoredBackend with(Map<String, @Nullable Object> newConfig) {
    return new StoredBackend(project, name, type, newConfig, extras, State.PREPARING, declared);
  }

  StoredBackend in(State next) {
    return new StoredBackend(project, name, type, config, extras, next, declared);
  }

  StoredBackend ready(Map<String, String> newExtras) {
    return new StoredBackend(project, name, type, config, newExtras, State.READY, declared);
  }

  /** The configuration may hold secrets. */
  @Override
  public String toString() {
    return "StoredBackend[key=" + key() + ", type=" + type + ", state=" + state + "]";
  }
}
