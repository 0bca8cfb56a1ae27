package dev.berth.hosts.access.local;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes folders with all that jobs left in them. Links are deleted, and never followed. */
final class FolderDeletion {
  private static final int MOST_DELETIONS = 20;

  private FolderDeletion() {}

  /** Where a file comes while its folder is deleted, which a runner that ends may do, once more. */
  static void deleteTree(Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        deleteOnce(folder);
        return;
      } catch (DirectoryNotEmptyException failure) {
        if (attempt == MOST_DELETIONS) {
          throw failure;
        }
      }
    }
  }

  private static void deleteOnce(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
