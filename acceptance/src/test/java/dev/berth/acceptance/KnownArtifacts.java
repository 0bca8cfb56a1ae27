package dev.berth.acceptance;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Plug-ins and libraries that Maven has fetched already, without anything of Berth. */
final class KnownArtifacts {
  private KnownArtifacts() {}

  /** Brings them from one local repository to another, so that they are not fetched again. */
  static void bring(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path name = from.relativize(file);
        if (!name.startsWith("dev/berth")) {
          Path target = to.resolve(name.toString());
          Files.createDirectories(target.getParent());
          share(file, target);
        }
      }
    }
  }

  /** Maven writes anew whatever it changes, apart from its own notes, which are copied. */
  private static void share(Path file, Path target) throws IOException {
    String name = file.getFileName().toString();
    if (name.endsWith(".jar") || name.endsWith(".pom")) {
      try {
        Files.createLink(target, file);
        return;
      } catch (FileSystemException | UnsupportedOperationException e) {
        // Another file system, or somebody else's file: a copy does as well.
        Files.copy(file, target);
        return;
      }
    }
    Files.copy(file, target);
  }
}
