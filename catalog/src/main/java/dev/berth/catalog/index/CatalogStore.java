package dev.berth.catalog.index;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder of snapshots: a folder for each source, a file for each version. Files are never changed
 * after they got their names, so readers need no lock; writers take turns, also those of other
 * processes.
 */
public final class CatalogStore {
  /** How many versions of a source are kept. */
  public static final int KEPT = 20;

  private static final Pattern SOURCE = Pattern.compile("[a-z0-9][a-z0-9_.-]*");
  private static final int LOOKS = 3;

  private final Path folder;
  private final InstantSource clock;

  /** Makes a store over a folder, which need not exist before something is put there. */
  public CatalogStore(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * The newest sound snapshots of all sources.
   *
   * @param warnings a sentence for each file that could not be used
   */
  public record Loaded(Catalog catalog, List<String> warnings) {
    public Loaded {
      warnings = List.copyOf(warnings);
    }
  }

  public Path folder() {
    return folder;
  }

  /**
   * Stores a new version of a source, which is from now on its newest, and deletes those that are
   * no longer kept.
   *
   * @throws CatalogException where it cannot be stored; nothing has changed then
   */
  public Snapshot put(SnapshotContent content) {
    Path place = folderOf(content.source());
    try {
      Files.createDirectories(place);
      StoreLock lock = StoreLock.acquire(folder);
      try {
        return putAlone(place, content);
      } finally {
        lock.close();
      }
    } catch (IOException e) {
      throw new CatalogException(
          "The snapshot of " + content.source() + " cannot be stored in " + folder + ": " + e, e);
    }
  }

  /** The sources that have a version, in their order. */
  public List<String> sources() {
    return list(folder).stream()
        .filter(Files::isDirectory)
        .map(path -> String.valueOf(path.getFileName()))
        .filter(name -> SOURCE.matcher(name).matches() && !versions(name).isEmpty())
        .sorted()
        .toList();
  }

  /** The versions of a source, newest first, whether sound or not. */
  public List<StoredVersion> versions(String source) {
    return list(folderOf(source)).stream()
        .flatMap(file -> StoredVersion.of(file).stream())
        .sorted(StoredVersion.NEWEST_FIRST)
        .toList();
  }

  /** The newest version of a source that is sound. */
  public Optional<Snapshot> newest(String source) {
    return newest(source, _ -> {});
  }

  /**
   * The newest version of a source that is sound.
   *
   * @param warnings told a sentence about each newer one that is not
   */
  public Optional<Snapshot> newest(String source, Consumer<String> warnings) {
    for (int look = 1; ; look++) {
      List<String> said = new ArrayList<>();
      boolean vanished = false;
      for (StoredVersion version : versions(source)) {
        try {
          Snapshot snapshot = open(source, version.file());
          said.forEach(warnings);
          return Optional.of(snapshot);
        } catch (CatalogException e) {
          vanished |= e.getCause() instanceof NoSuchFileException;
          said.add(e.getMessage() + " An older version is used where there is one.");
        }
      }
      // Other processes put and delete versions meanwhile; what has gone has a newer one.
      if (!vanished || look == LOOKS) {
        said.forEach(warnings);
        return Optional.empty();
      }
    }
  }

  /** The newest sound version of each source. */
  public Loaded load() {
    List<String> warnings = new ArrayList<>();
    List<Snapshot> snapshots =
        sources().stream().flatMap(source -> newest(source, warnings::add).stream()).toList();
    return new Loaded(Catalog.of(snapshots), warnings);
  }

  private static Snapshot open(String source, Path file) {
    Snapshot snapshot = Snapshot.open(file);
    if (!snapshot.source().equals(source)) {
      throw new CatalogException(
          "The snapshot " + file + " is one of " + snapshot.source() + ", not of " + source + ".");
    }
    return snapshot;
  }

  private Snapshot putAlone(Path place, SnapshotContent content) throws IOException {
    removeUnfinished(place);
    List<StoredVersion> before = versions(content.source());
    Snapshot snapshot = Snapshot.write(next(place, before).file(), content);
    for (StoredVersion old : before.subList(Math.min(KEPT - 1, before.size()), before.size())) {
      Files.deleteIfExists(old.file());
    }
    return snapshot;
  }

  /** A version that is newer than all before, also where the clock was set back. */
  private StoredVersion next(Path place, List<StoredVersion> before) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    if (before.isEmpty() || before.getFirst().storedAt().isBefore(now)) {
      return StoredVersion.in(place, now, 1);
    }
    StoredVersion newest = before.getFirst();
    return StoredVersion.in(place, newest.storedAt(), newest.number() + 1);
  }

  /** Removes what a writer left behind that did not live to finish; no other one is here now. */
  private static void removeUnfinished(Path place) throws IOException {
    for (Path file : list(place)) {
      if (String.valueOf(file.getFileName()).endsWith(".tmp")) {
        Files.deleteIfExists(file);
      }
    }
  }

  private Path folderOf(String source) {
    if (!SOURCE.matcher(source).matches()) {
      throw new CatalogException(
          "A source is named by one word of lower-case letters, digits, '-', '_' and '.', not '"
              + source
              + "'.");
    }
    return folder.resolve(source);
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (NoSuchFileException | NotDirectoryException _) {
      // Nothing has been put there yet.
      return List.of();
    } catch (IOException e) {
      throw new CatalogException("The folder " + folder + " cannot be read: " + e, e);
    }
  }
}
