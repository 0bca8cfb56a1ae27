package dev.berth.backends.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Looks for words in a folder that others write to: what is gone when it is read says nothing. */
final class FilesThatSay {
  private FilesThatSay() {}

  /** The files that hold one of the words. */
  static List<Path> any(Path folder, List<String> words) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile() && says(file, words)) {
              found.add(file);
            }
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
        });
    return found;
  }

  private static boolean says(Path file, List<String> words) throws IOException {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      return words.stream().anyMatch(text::contains);
    } catch (NoSuchFileException gone) {
      return false;
    }
  }
}
