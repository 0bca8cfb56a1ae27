package dev.berth.control.accounts;

import dev.berth.model.Instance;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads again and again which machines a backend has by itself, and tells when they are not what
 * they were. A step machine: {@link #step} may be called by one thread at a time.
 */
public final class Inventory {
  private static final System.Logger LOG = System.getLogger(Inventory.class.getName());

  public static final Duration EVERY = Duration.ofSeconds(30);

  /** A disk has always a little more or less room; less of a change than this part is none. */
  private static final int PART_OF_DISK = 20;

  private final String backend;
  private final Supplier<List<Instance>> machines;
  private final Consumer<List<Instance>> changed;

  /** What was told last; null before the first reading, which is told even if it is empty. */
  private @Nullable Map<String, Instance> told;

  private Instant at;

  /**
   * Has told nothing yet.
   *
   * @param machines asks the backend
   * @param changed hears of all its machines
   * @param first when they are read for the first time
   */
  public Inventory(
      String backend,
      Supplier<List<Instance>> machines,
      Consumer<List<Instance>> changed,
      Instant first) {
    this.backend = backend;
    this.machines = machines;
    this.changed = changed;
    this.at = first;
  }

  /** When the machines are read next. */
  public synchronized Optional<Instant> next(Instant now) {
    return Optional.of(at.isBefore(now) ? now : at);
  }

  /** Waits until it is time to read. */
  public void await(Instant now) throws InterruptedException {
    Duration left = Duration.between(now, next(now).orElseThrow());
    if (left.isPositive()) {
      Thread.sleep(left);
    }
  }

  /** Reads them where it is time to; a reading that fails says nothing of them. */
  public void step(Instant now) {
    synchronized (this) {
      if (now.isBefore(at)) {
        return;
      }
      at = now.plus(EVERY);
    }
    List<Instance> there;
    try {
      there = machines.get();
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The machines of " + backend + " could not be read: " + e.getMessage());
      return;
    }
    Map<String, Instance> byId = new HashMap<>();
    there.forEach(machine -> byId.put(machine.id(), machine));
    if (!isAsTold(byId)) {
      told = Map.copyOf(byId);
      changed.accept(there);
    }
  }

  private boolean isAsTold(Map<String, Instance> there) {
    Map<String, Instance> before = told;
    return before != null
        && there.size() == before.size()
        && there.values().stream().allMatch(machine -> isSame(machine, before.get(machine.id())));
  }

  private static boolean isSame(Instance now, @Nullable Instance before) {
    if (before == null) {
      return false;
    }
    long room = before.capacity().diskMib();
    long more = Math.abs(now.capacity().diskMib() - room);
    return !now.differsBesidesDisk(before) && more <= room / PART_OF_DISK;
  }
}
