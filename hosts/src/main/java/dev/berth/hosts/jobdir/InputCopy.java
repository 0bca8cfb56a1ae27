package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies the input files of a job to where it expects them. */
public final class InputCopy {
  private static final CopyOption[] AS_IS = {
    StandardCopyOption.COPY_ATTRIBUTES,
    StandardCopyOption.REPLACE_EXISTING,
    LinkOption.NOFOLLOW_LINKS
  };

  private InputCopy() {}

  /** Copies one input; relative targets go into {@code workingDirectory}. May be repeated. */
  public static void copy(InputFile input, Path workingDirectory) {
    Path target = workingDirectory.resolve(input.target()).normalize();
    try {
      // The named source may itself be a link to what is meant; links inside of a folder stay
      // links.
      Path source = input.source().toRealPath();
      Path parent = target.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      if (Files.isDirectory(source)) {
        copyFolder(source, target);
      } else {
        Files.copy(source, target, AS_IS);
      }
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.INPUT,
          "the input %s cannot be copied to %s".formatted(input.source(), target),
          failure);
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
