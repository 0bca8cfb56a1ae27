package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The snapshots that are kept. Each method is atomic, and a snapshot put is there to stay. */
public interface Snapshots {
  /** The names of all sources that have a snapshot. */
  Set<String> sources();

  /** The newest that is whole; a damaged one is passed over, and is no reason to fail. */
  Optional<SnapshotContent> newest(String source);

  /** The oldest first. */
  List<SnapshotContent> history(String source);

  /** Makes this the newest snapshot of its source; those before stay. */
  void put(SnapshotContent content);
}
