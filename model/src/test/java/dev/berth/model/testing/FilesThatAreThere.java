package dev.berth.model.testing;

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
import org.jspecify.annotations.Nullable;

/** The files of a folder that somebody changes while it is looked through. */
public final class FilesThatAreThere {
  private FilesThatAreThere() {}

  /** All regular files; those that go meanwhile are not there, and nothing else fails. */
  public static List<Path> below(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return goOn(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            return e == null ? FileVisitResult.CONTINUE : goOn(e);
          }

          private FileVisitResult goOn(IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return found;
  }

  /** Those with one of some words in them. */
  public static List<Path> saying(Path folder, List<String> words) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : below(folder)) {
      String text = text(file);
      if (words.stream().anyMatch(text::contains)) {
        found.add(file);
      }
    }
    return found;
  }

  /** What a file says, whatever it is; one that is gone says nothing. */
  public static String text(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
