package dev.berth.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes files that nobody else may read, whole or not at all. */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private PrivateFile() {}

  public static void write(Path file, String content) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException(file + " has no folder");
    }
    Files.createDirectories(folder);
    Path temporary =
        Files.createTempFile(
            folder,
            file.getFileName().toString(),
            ".new",
            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.writeString(temporary, content);
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
