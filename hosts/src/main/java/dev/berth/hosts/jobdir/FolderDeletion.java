package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes folders with all that jobs left in them. Links are deleted, and never followed. */
public final class FolderDeletion {
  private static final System.Logger LOGGER = System.getLogger(FolderDeletion.class.getName());
  private static final int MOST_DELETIONS = 20;

  private FolderDeletion() {}

  /** Whether it is one of those that are on their way to their name, or to their end. */
  static boolean isTemporary(Path folder) {
    return folder.getFileName().toString().startsWith(".");
  }

  /** Deletes what is so old that nobody can be at it any more. */
  static void deleteAbandoned(Path parent, Instant before, Predicate<Path> isAbandoned)
      throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      for (Path folder : folders.toList()) {
        if (isAbandoned.test(folder) && isOlder(folder, before)) {
          deleteOrTell(folder);
        }
      }
    }
  }

  /** Another server may be at work, and what it writes and reads has names for moments only. */
  private static boolean isOlder(Path folder, Instant than) throws IOException {
    try {
      return Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS)
          .toInstant()
          .isBefore(than);
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** What cannot be deleted costs room, and must not cost more: neither this job nor others. */
  static void deleteOrTell(Path folder) {
    try {
      deleteTree(folder);
    } catch (HostException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          ("The folder %s of a job that is over cannot be deleted; mostly a container left files of"
                  + " another user in it. Delete it as root: rm -rf '%s'")
              .formatted(folder, folder),
          failure);
    }
  }

  /** Where a file comes while its folder is deleted, which a runner that ends may do, once more. */
  public static void deleteTree(Path folder) {
    for (int attempt = 1; ; attempt++) {
      try {
        deleteOnce(folder);
        return;
      } catch (IOException failure) {
        if (!(failure instanceof DirectoryNotEmptyException) || attempt == MOST_DELETIONS) {
          throw new HostException(
              HostException.Code.MACHINE, "the folder " + folder + " cannot be deleted", failure);
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
