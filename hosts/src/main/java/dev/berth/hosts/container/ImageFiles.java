package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.TarEntry;
import dev.berth.hosts.access.TarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The files of an image, as its engine gives them. */
final class ImageFiles {
  private ImageFiles() {}

  /** The text of the one file in a tar; empty where there is none. */
  static String only(Optional<byte[]> tar) {
    if (tar.isEmpty()) {
      return "";
    }
    try {
      TarReader reader = new TarReader(new ByteArrayInputStream(tar.get()));
      for (Optional<TarEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
        if (next.get().kind() == TarEntry.Kind.FILE) {
          ByteArrayOutputStream content = new ByteArrayOutputStream();
          reader.copyTo(content);
          return content.toString(StandardCharsets.UTF_8);
        }
      }
      return "";
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "a file of an image cannot be read", failure);
    }
  }
}
