package dev.berth.spi.config;

/**
 * Something that is wrong in a configuration.
 *
 * @param path of the field, such as {@code creds.api_key} or {@code regions[1]}; empty for the
 *     whole
 */
public record ConfigProblem(String path, String message) {
  @Override
  public String toString() {
    return path.isEmpty() ? message : "'" + path + "' " + message;
  }
}
