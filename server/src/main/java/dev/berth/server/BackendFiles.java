package dev.berth.server;

import dev.berth.model.BackendKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * Keeps added backends as one file each, which only the server's user reads. Their settings hold
 * secrets, and are encrypted.
 */
public final class BackendFiles implements KeptBackends {
  private static final System.Logger LOG = System.getLogger(BackendFiles.class.getName());

  private final Path folder;
  private final Keyring keys;

  private BackendFiles(Path folder, Keyring keys) {
    this.folder = folder;
    this.keys = keys;
  }

  /** Those of the server whose home this is. */
  public static BackendFiles of(Path home, Keyring keys) {
    return new BackendFiles(home.resolve("server").resolve("backends"), keys);
  }

  /**
   * One of a project by its name; empty where there is none.
   *
   * @throws IOException where it cannot be read; says nothing of its text, which may hold secrets
   */
  public Optional<StoredBackend> find(String project, String name) throws IOException {
    Path file = file(BackendKey.of(project, name));
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  @Override
  public List<StoredBackend> all() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .flatMap(this::readable)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  private Stream<StoredBackend> readable(Path file) {
    try {
      return Stream.of(read(file));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, e.getMessage());
      return Stream.of();
    }
  }

  private StoredBackend read(Path file) throws IOException {
    try {
      return SealedBackend.read(Files.readString(file), keys);
    } catch (Keyring.Unreadable e) {
      throw new IOException("The backend in " + file + " cannot be read: " + e.getMessage());
    } catch (IOException | JacksonException e) {
      // Its text may hold secrets, so neither it nor the parser's message is shown.
      throw new IOException("The backend in " + file + " cannot be read");
    }
  }

  @Override
  public void bringUnderFirst(KeptSecrets kept) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        String sealed = sealedIn(file);
        if (!sealed.isEmpty() && !keys.knows(sealed)) {
          throw kept.missing("the backend in " + file, Keyring.keyOf(sealed));
        }
        if (!keys.isCurrent(sealed)) {
          readable(file).forEach(this::write);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  /** The encrypted text of a file; empty where it has none. */
  private static String sealedIn(Path file) throws IOException {
    try {
      return SealedBackend.sealedIn(Files.readString(file));
    } catch (JacksonException e) {
      // Whoever reads all of them tells it.
      return "";
    }
  }

  @Override
  public void write(StoredBackend backend) {
    try {
      PrivateFile.write(file(backend.key()), SealedBackend.json(backend, keys));
    } catch (IOException e) {
      throw new UncheckedIOException("the backend " + backend.name() + " cannot be kept", e);
    }
  }

  @Override
  public void delete(String key) {
    try {
      Files.deleteIfExists(file(key));
    } catch (IOException e) {
      throw new UncheckedIOException("the backend " + key + " cannot be forgotten", e);
    }
  }

  private Path file(String key) {
    return folder.resolve(key + ".json");
  }
}
