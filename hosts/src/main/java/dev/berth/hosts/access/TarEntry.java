package dev.berth.hosts.access;

import java.time.Instant;

/**
 * What a tar archive says of one item.
 *
 * @param link where a link leads; empty for all others
 */
public record TarEntry(String name, Kind kind, int mode, long size, Instant modified, String link) {
  public enum Kind {
    FILE,
    FOLDER,
    LINK
  }
}
