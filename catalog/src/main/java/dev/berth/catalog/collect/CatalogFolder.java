package dev.berth.catalog.collect;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.index.StoredVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The folder that holds a catalog: snapshots, copies of mirrors, origins and the signing key. */
public final class CatalogFolder implements Snapshots {
  private static final System.Logger LOG = System.getLogger(CatalogFolder.class.getName());

  private final Path folder;
  private final InstantSource clock;
  private final CatalogStore store;

  public CatalogFolder(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
    this.store = new CatalogStore(folder.resolve("snapshots"), clock);
  }

  public CatalogStore store() {
    return store;
  }

  /** Where the last good copies of what mirrors have are kept. */
  public Path copies() {
    return folder.resolve("copies");
  }

  /** The key that published catalogs are signed with. */
  public Path keyFile() {
    return folder.resolve("publish.key");
  }

  public Origins origins() {
    return new Origins(folder.resolve("origins.json"));
  }

  @Override
  public Set<String> sources() {
    return new TreeSet<>(store.sources());
  }

  @Override
  public Optional<SnapshotContent> newest(String source) {
    return store.newest(source).map(Snapshot::content);
  }

  @Override
  public List<SnapshotContent> history(String source) {
    List<SnapshotContent> history = new ArrayList<>();
    for (StoredVersion version : store.versions(source)) {
      try {
        history.add(Snapshot.open(version.file()).content());
      } catch (CatalogException e) {
        LOG.log(System.Logger.Level.WARNING, e.getMessage());
      }
    }
    history.sort(Comparator.comparing(SnapshotContent::collectedAt));
    return history;
  }

  /** What says nothing new is not kept twice, so that the versions that are kept differ. */
  @Override
  public void put(SnapshotContent content) {
    Optional<Snapshot> newest = store.newest(content.source());
    boolean same = newest.isPresent() && isSame(newest.get().content(), content);
    markAsked((same ? newest.get() : store.put(content)).file());
  }

  private static boolean isSame(SnapshotContent kept, SnapshotContent content) {
    return kept.collectedAt().equals(content.collectedAt())
        && Objects.equals(kept.version(), content.version())
        && Set.copyOf(kept.offers()).equals(Set.copyOf(content.offers()))
        && Set.copyOf(kept.suspects()).equals(Set.copyOf(content.suspects()));
  }

  private void markAsked(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
    } catch (IOException e) {
      throw new CatalogException(file + " cannot be marked as asked for: " + e, e);
    }
  }

  /** When a source was last asked and answered; empty where it never was. */
  public Optional<Instant> lastAsked(String source) {
    return store.versions(source).stream()
        .findFirst()
        .map(
            version -> {
              try {
                return Files.getLastModifiedTime(version.file()).toInstant();
              } catch (IOException e) {
                throw new CatalogException(version.file() + " cannot be read: " + e, e);
              }
            });
  }

  /** The same folder; what is put into it is remembered to come from there. */
  public Snapshots importing(Origins.Origin origin) {
    return new Snapshots() {
      @Override
      public Set<String> sources() {
        return CatalogFolder.this.sources();
      }

      @Override
      public Optional<SnapshotContent> newest(String source) {
        return CatalogFolder.this.newest(source);
      }

      @Override
      public List<SnapshotContent> history(String source) {
        return CatalogFolder.this.history(source);
      }

      @Override
      public void put(SnapshotContent content) {
        // First, so that no snapshot is left that nobody can renew.
        origins().remember(List.of(content.source()), origin);
        CatalogFolder.this.put(content);
      }
    };
  }
}
