package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** How many requests one client may make. */
public record RateLimit(String prefix, Key key, double rps, long burst) {
  /** What requests are counted by: the client's address, or a header. */
  public record Key(KeyType type, @Nullable String header) {}

  public enum KeyType {
    IP_ADDRESS,
    HEADER
  }
}
