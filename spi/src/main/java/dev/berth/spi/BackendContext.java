package dev.berth.spi;

import java.nio.file.Path;
import java.util.Map;

/** What a backend gets from the server that opens it. */
public record BackendContext(Path dataDirectory, Map<String, Object> settings) {
  public BackendContext {
    settings = Map.copyOf(settings);
  }
}
