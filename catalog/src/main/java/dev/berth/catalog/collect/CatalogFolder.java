package dev.berth.catalog.collect;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.collect.Origins.Origin;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.index.StoredVersion;
import dev.berth.catalog.read.Importer;
import dev.berth.catalog.read.ReadLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The folder that holds a catalog: snapshots, copies of mirrors, origins and the signing key. */
public final class CatalogFolder implements Snapshots {
  private static final System.Logger LOG = System.getLogger(CatalogFolder.class.getName());

  private final Path folder;
  private final InstantSource clock;
  private final CatalogStore store;

  /** Where what is put comes from; null where that is known already. */
  private final @Nullable Origin origin;

  public CatalogFolder(Path folder, InstantSource clock) {
    this(folder, clock, null);
  }

  private CatalogFolder(Path folder, InstantSource clock, @Nullable Origin origin) {
    this.folder = folder;
    this.clock = clock;
    this.origin = origin;
    this.store = new CatalogStore(folder.resolve("snapshots"), clock);
  }

  public CatalogStore store() {
    return store;
  }

  /** The same folder; what is put into it is remembered to come from there. */
  public CatalogFolder importing(Origin from) {
    return new CatalogFolder(folder, clock, from);
  }

  /** Brings catalogs in, with the last good copies of what mirrors have in this folder. */
  public Importer importer(Consumer<String> warnings) {
    return importer(warnings, ReadLimits.DEFAULT);
  }

  /** The same, for catalogs that nobody chose and that had better be small. */
  public Importer importer(Consumer<String> warnings, ReadLimits limits) {
    return new Importer(
        Importer.Settings.withCopiesIn(folder.resolve("copies"), limits), clock, warnings);
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
    if (origin != null) {
      // First, so that no snapshot is left that nobody can renew.
      origins().remember(List.of(content.source()), origin);
    }
    Snapshot kept =
        store
            .newest(content.source())
            .filter(newest -> isSame(newest, content))
            .orElseGet(() -> store.put(content));
    markAsked(kept.file());
  }

  /** What the file says of itself is compared first; its offers have to be made. */
  private static boolean isSame(Snapshot kept, SnapshotContent content) {
    if (!kept.collectedAt().equals(content.collectedAt())
        || !kept.version().equals(Optional.ofNullable(content.version()))
        || kept.offers() != content.offers().size()
        || kept.suspects() != content.suspects().size()) {
      return false;
    }
    SnapshotContent read = kept.content();
    return Set.copyOf(read.offers()).equals(Set.copyOf(content.offers()))
        && Set.copyOf(read.suspects()).equals(Set.copyOf(content.suspects()));
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
}
