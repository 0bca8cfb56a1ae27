package dev.berth.hosts.access.local;

import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies files and folders with their attributes. */
final class FileCopy {
  private static final CopyOption[] AS_IS = {
    StandardCopyOption.COPY_ATTRIBUTES,
    StandardCopyOption.REPLACE_EXISTING,
    LinkOption.NOFOLLOW_LINKS
  };

  private FileCopy() {}

  /** Copies a file or folder, over what is there. */
  static void copy(Path from, Path target) throws IOException {
    // The named source may itself be a link to what is meant; links inside of a folder stay links.
    Path source = from.toRealPath();
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (Files.isDirectory(source)) {
      copyFolder(source, target);
    } else {
      Files.copy(source, target, AS_IS);
    }
  }

  private static void copyFolder(Path source, Path target) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(target.resolve(source.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, target.resolve(source.relativize(file)), AS_IS);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
