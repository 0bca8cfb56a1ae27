package dev.berth.ledger;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and folders that only their owner can read. What exists keeps its permissions. */
final class PrivateFiles {
  private PrivateFiles() {}

  static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(file + " is not a file");
    }
    return folder;
  }

  /** The real place of a file, or where it will be once it and its folder are made. */
  static Path withoutLinks(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException _) {
      Path folder = file.toAbsolutePath().getParent();
      return folder == null || file.getFileName() == null
          ? file.toAbsolutePath()
          : withoutLinks(folder).resolve(file.getFileName());
    }
  }

  static void createFolders(Path folder) throws IOException {
    // A link to a folder is fine, but createDirectories refuses it.
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, permissions(folder.getFileSystem(), "rwx------"));
    }
  }

  static void createIfAbsent(Path file) throws IOException {
    try {
      Files.createFile(file, permissions(file.getFileSystem(), "rw-------"));
    } catch (FileAlreadyExistsException _) {
      // Someone was faster, or it was there before: both are what the caller wants.
    }
  }

  private static FileAttribute<?>[] permissions(FileSystem system, String words) {
    return system.supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(words))
        }
        : new FileAttribute<?>[0];
  }
}
