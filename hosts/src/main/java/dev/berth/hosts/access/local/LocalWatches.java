package dev.berth.hosts.access.local;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The watches that are open, so that all of them can be closed. Any thread may use it. */
final class LocalWatches {
  private final List<LocalWatch> open = new CopyOnWriteArrayList<>();

  void add(LocalWatch watch) {
    open.add(watch);
  }

  void remove(LocalWatch watch) {
    open.remove(watch);
  }

  void close() {
    open.forEach(LocalWatch::close);
  }
}
