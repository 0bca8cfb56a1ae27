package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The folder that holds a catalog: snapshots, copies of mirrors, origins and the signing key. */
public final class CatalogFolder implements Snapshots {
  private final Path folder;
  private final CatalogStore store;

  public CatalogFolder(Path folder, InstantSource clock) {
    this.folder = folder;
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
    return store.versions(source).stream()
        .map(version -> Snapshot.open(version.file()).content())
        .sorted(Comparator.comparing(SnapshotContent::collectedAt))
        .toList();
  }

  @Override
  public void put(SnapshotContent content) {
    store.put(content);
  }
}
