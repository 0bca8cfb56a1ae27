package dev.berth.model.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backend of a project as the server's file declares it; the backend's own schema judges the
 * settings.
 */
public record BackendDeclaration(String type, @Nullable String name, Map<String, Object> settings) {
  public BackendDeclaration {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Settings may hold credentials, so only their names are shown. */
  @Override
  public String toString() {
    return "BackendDeclaration[type="
        + type
        + ", name="
        + name
        + ", settings="
        + settings.keySet()
        + "]";
  }
}
