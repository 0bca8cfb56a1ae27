package dev.berth.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a job is secret, by name.
 *
 * @param environment variables whose values have secrets in them
 * @param registry who we are at a private registry; null where nobody needs to know
 */
public record JobSecrets(Map<String, SecretText> environment, @Nullable Login registry) {
  public static final JobSecrets NONE = new JobSecrets(Map.of(), null);

  public JobSecrets {
    environment =
        Collections.unmodifiableMap(
            new LinkedHashMap<>(Objects.requireNonNullElse(environment, Map.of())));
  }

  /** A name and password at a registry. */
  public record Login(SecretText username, SecretText password) {}

  /** All secrets that are needed. */
  public List<SecretRef> all() {
    List<SecretRef> found = new ArrayList<>();
    environment.values().forEach(text -> found.addAll(text.secrets()));
    if (registry != null) {
      found.addAll(registry.username().secrets());
      found.addAll(registry.password().secrets());
    }
    return found.stream().distinct().toList();
  }
}
