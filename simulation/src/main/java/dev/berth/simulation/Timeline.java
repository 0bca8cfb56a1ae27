package dev.berth.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** What will happen, unless whoever it happens to is gone by then. */
final class Timeline {
  private final PriorityQueue<Happening> coming =
      new PriorityQueue<>(Comparator.comparing(Happening::at).thenComparingLong(Happening::order));

  /** Those whose time has come. In the order in which they were planned. */
  private final List<Happening> due = new ArrayList<>();

  private long order;

  /**
   * Something that will happen.
   *
   * @param order tells those of one moment apart
   * @param still whether it can happen at all
   */
  record Happening(Instant at, long order, String name, BooleanSupplier still, Runnable what) {}

  void add(Instant at, String name, BooleanSupplier still, Runnable what) {
    coming.add(new Happening(at, ++order, name, still, what));
  }

  /** All that can happen now; one of them is then to be taken. */
  List<Happening> due(Instant now) {
    while (!coming.isEmpty() && !coming.element().at().isAfter(now)) {
      due.add(coming.remove());
    }
    due.removeIf(happening -> !happening.still().getAsBoolean());
    return due;
  }

  void take(Happening happening) {
    due.remove(happening);
  }

  /** When the next one comes. */
  Optional<Instant> next() {
    return Optional.ofNullable(coming.peek()).map(Happening::at);
  }
}
