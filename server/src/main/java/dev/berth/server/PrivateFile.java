package dev.berth.server;

import dev.berth.catalog.AtomicFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes texts that nobody else may read, whole or not at all. */
public final class PrivateFile {
  private PrivateFile() {}

  public static void write(Path file, String content) throws IOException {
    AtomicFiles.writePrivately(file, content.getBytes(StandardCharsets.UTF_8));
  }
}
