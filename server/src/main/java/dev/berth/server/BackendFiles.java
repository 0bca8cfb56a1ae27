package dev.berth.server;

import dev.berth.ledger.LedgerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Keeps added backends as one file each, which only the server's user reads. Their settings hold
 * secrets, and are encrypted.
 */
public final class BackendFiles {
  private static final System.Logger LOG = System.getLogger(BackendFiles.class.getName());
  private static final String SEALED = "sealed";

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

  /** As it stands in a file. What is secret is in the one text that is encrypted. */
  private record Sealed(
      String name, String type, String sealed, StoredBackend.State state, boolean declared) {}

  /** What is encrypted. */
  private record Settings(Map<String, @Nullable Object> config, Map<String, String> extras) {}

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
      JsonNode tree = ApiJson.MAPPER.readTree(Files.readString(file));
      if (tree.get(SEALED) == null) {
        // Servers before this one wrote settings as they are.
        return ApiJson.MAPPER.treeToValue(tree, StoredBackend.class);
      }
      Sealed sealed = ApiJson.MAPPER.treeToValue(tree, Sealed.class);
      Settings settings =
          ApiJson.MAPPER.readValue(
              keys.open(sealed.sealed(), "backend", sealed.name()).reveal(), Settings.class);
      return new StoredBackend(
          sealed.name(),
          sealed.type(),
          settings.config(),
          settings.extras(),
          sealed.state(),
          sealed.declared());
    } catch (Keyring.Unreadable e) {
      throw new IOException("The backend in " + file + " cannot be read: " + e.getMessage());
    } catch (IOException | JacksonException e) {
      // Its text may hold secrets, so neither it nor the parser's message is shown.
      throw new IOException("The backend in " + file + " cannot be read");
    }
  }

  /**
   * Brings all files under the first key. One at a time and each as a whole, so that a server that
   * ends in the middle goes on at its next start.
   *
   * @throws LedgerException where a key is missing
   */
  void bringUnderFirst(KeptSecrets kept) {
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
      JsonNode sealed = ApiJson.MAPPER.readTree(Files.readString(file)).get(SEALED);
      return sealed == null ? "" : sealed.asString();
    } catch (JacksonException e) {
      // Whoever reads all of them tells it.
      return "";
    }
  }

  void write(StoredBackend backend) {
    String settings =
        ApiJson.MAPPER.writeValueAsString(new Settings(backend.config(), backend.extras()));
    Sealed sealed =
        new Sealed(
            backend.name(),
            backend.type(),
            keys.seal(settings, "backend", backend.name()),
            backend.state(),
            backend.declared());
    try {
      PrivateFile.write(file(backend.name()), ApiJson.MAPPER.writeValueAsString(sealed));
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
