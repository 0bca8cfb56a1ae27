package dev.berth.catalog.index;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The catalog of this moment. Readers take it with {@link #current()} and never wait; what they
 * have taken stays as it was. Any thread may swap snapshots.
 */
public final class LiveCatalog {
  private final AtomicReference<Catalog> catalog;

  public LiveCatalog(Catalog catalog) {
    this.catalog = new AtomicReference<>(catalog);
  }

  public Catalog current() {
    return catalog.get();
  }

  /** Puts a snapshot in place of the one of its source. */
  public void swap(Snapshot snapshot) {
    catalog.updateAndGet(before -> before.with(snapshot));
  }

  public void remove(String source) {
    catalog.updateAndGet(before -> before.without(source));
  }

  /** Puts another catalog in place of all of it. */
  public void replace(Catalog other) {
    catalog.set(other);
  }
}
