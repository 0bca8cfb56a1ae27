package dev.berth.server.plugins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plug-in as it is on the disk: a jar, or a folder of jars that belong together.
 *
 * @param path where users put it
 * @param copies a folder with the jars that are used; null where they are used where they are
 * @param jars that are used, which could be read to their ends
 * @param contents what is in them, to see whether other ones are there later
 */
record PluginFile(Path path, @Nullable Path copies, List<Path> jars, List<String> contents) {
  PluginFile {
    jars = List.copyOf(jars);
    contents = List.copyOf(contents);
  }

  /** What is in a folder of plug-ins, by the names of the files; the folder may be missing. */
  static Stream<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .filter(entry -> isJar(entry) || Files.isDirectory(entry))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  private static boolean isJar(Path file) {
    return file.toString().endsWith(".jar");
  }

  /**
   * Finds the jars, and what is in them.
   *
   * @throws IOException where a jar is damaged, or not there as a whole yet
   */
  static PluginFile read(Path path) throws IOException {
    List<Path> jars = jars(path);
    return new PluginFile(path, null, jars, contents(jars));
  }

  /** The same out of copies, which stay as they are whatever users do with theirs. */
  static PluginFile copy(Path path) throws IOException {
    Path folder = Files.createTempDirectory("berth-plugin");
    try {
      List<Path> copies = new ArrayList<>();
      for (Path jar : jars(path)) {
        copies.add(Files.copy(jar, folder.resolve(jar.getFileName())));
      }
      return new PluginFile(path, folder, copies, contents(copies));
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
  }

  private static List<Path> jars(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> found = Files.list(path)) {
      return found.filter(PluginFile::isJar).sorted().toList();
    }
  }

  private static List<String> contents(List<Path> jars) throws IOException {
    List<String> contents = new ArrayList<>();
    for (Path jar : jars) {
      // The end of a jar says what is in it, so this fails while only a part of it is there.
      try (JarFile opened = new JarFile(jar.toFile())) {
        contents.add(String.valueOf(jar.getFileName()));
        opened.stream().map(PluginFile::line).forEach(contents::add);
      } catch (IOException e) {
        throw new IOException(jar.getFileName() + " is no complete jar: " + e.getMessage(), e);
      }
    }
    return contents;
  }

  private static String line(JarEntry entry) {
    return entry.getName() + " " + entry.getSize() + " " + Long.toHexString(entry.getCrc());
  }

  String origin() {
    return String.valueOf(path.getFileName());
  }

  URL[] urls() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Whether users have put something else there by now, or nothing. */
  boolean isReplaced() {
    try {
      return !contents.equals(read(path).contents);
    } catch (IOException e) {
      return true;
    }
  }

  /** Deletes the copies, if there are any. */
  void deleteCopies() throws IOException {
    if (copies != null) {
      delete(copies);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
