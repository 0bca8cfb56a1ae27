package dev.berth.grammar;

import dev.berth.model.config.Configuration;
import java.util.List;
import java.util.Optional;

/**
 * What became of a file.
 *
 * @param kind the kind, where it could be told
 * @param configuration the value, where the file is valid
 */
public record ConfigurationFile(
    Optional<Kind> kind,
    Optional<Configuration> configuration,
    List<Problem> errors,
    List<Problem> warnings) {
  public ConfigurationFile {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }

  public boolean isValid() {
    return configuration.isPresent();
  }
}
