package dev.berth.hosts;

import java.time.Instant;

/**
 * What a tar archive says of one item.
 *
 * @param link where a link leads; empty for all others
 */
record TarEntry(String name, Kind kind, int mode, long size, Instant modified, String link) {
  enum Kind {
    FILE,
    FOLDER,
    LINK
  }
}
