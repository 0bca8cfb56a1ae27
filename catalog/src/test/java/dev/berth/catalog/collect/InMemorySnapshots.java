package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps snapshots as long as the test runs. */
final class InMemorySnapshots implements Snapshots {
  private final Map<String, List<SnapshotContent>> kept = new ConcurrentHashMap<>();

  @Override
  public Set<String> sources() {
    return Set.copyOf(kept.keySet());
  }

  @Override
  public Optional<SnapshotContent> newest(String source) {
    List<SnapshotContent> all = history(source);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  @Override
  public List<SnapshotContent> history(String source) {
    return List.copyOf(kept.getOrDefault(source, List.of()));
  }

  @Override
  public void put(SnapshotContent content) {
    kept.merge(
        content.source(),
        List.of(content),
        (before, more) -> {
          List<SnapshotContent> all = new ArrayList<>(before);
          all.addAll(more);
          return List.copyOf(all);
        });
  }
}
