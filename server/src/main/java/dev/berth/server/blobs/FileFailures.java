package dev.berth.server.blobs;

import java.io.IOException;
import java.util.Locale;

/** Says in our words what a file system said. */
final class FileFailures {
  private FileFailures() {}

  static BlobException of(String what, IOException cause) {
    String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    // The JDK has no exception of its own for a full disk.
    boolean full = said.contains("no space left") || said.contains("quota exceeded");
    return new BlobException(
        full ? BlobException.Code.FULL : BlobException.Code.AWAY,
        full
            ? what + ": the disk is full; make room, or give the server another folder"
            : what + ": " + cause,
        cause);
  }
}
