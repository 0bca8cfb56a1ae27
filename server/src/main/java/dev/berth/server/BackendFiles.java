package dev.berth.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * Keeps added backends as one file each, which only the server's user reads: their settings hold
 * secrets.
 */
public final class BackendFiles {
  private static final System.Logger LOG = System.getLogger(BackendFiles.class.getName());

  private final Path folder;

  private BackendFiles(Path folder) {
    this.folder = folder;
  }

  /** Those of the server whose home this is. */
  public static BackendFiles of(Path home) {
    return new BackendFiles(home.resolve("server").resolve("backends"));
  }

  /**
   * One of them by name; empty where there is none.
   *
   * @throws IOException where it cannot be read; says nothing of its text, which may hold secrets
   */
  public Optional<StoredBackend> find(String name) throws IOException {
    Path file = file(name);
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  /** All of them by name. A file that cannot be read is told and left alone. */
  List<StoredBackend> all() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .flatMap(BackendFiles::readable)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  private static Stream<StoredBackend> readable(Path file) {
    try {
      return Stream.of(read(file));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, e.getMessage());
      return Stream.of();
    }
  }

  private static StoredBackend read(Path file) throws IOException {
    try {
      return ApiJson.MAPPER.readValue(Files.readString(file), StoredBackend.class);
    } catch (IOException | JacksonException e) {
      // Its text may hold secrets, so neither it nor the parser's message is shown.
      throw new IOException("The backend in " + file + " cannot be read");
    }
  }

  void write(StoredBackend backend) {
    try {
      PrivateFile.write(file(backend.name()), ApiJson.MAPPER.writeValueAsString(backend));
    } catch (IOException e) {
      throw new UncheckedIOException("the backend " + backend.name() + " cannot be kept", e);
    }
  }

  void delete(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException("the backend " + name + " cannot be forgotten", e);
    }
  }

  /** Deletes what a backend that is gone kept for itself. */
  void deleteData(Path data) {
    if (!Files.isDirectory(data)) {
      return;
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, data + " could not be deleted", e);
    }
  }

  private Path file(String name) {
    return folder.resolve(name + ".json");
  }
}
