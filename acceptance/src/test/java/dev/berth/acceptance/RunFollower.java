package dev.berth.acceptance;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads all events of a project, whatever becomes of its servers, and lets others wait for them.
 * Closing ends the reading.
 */
final class RunFollower implements AutoCloseable {
  private final String project;
  private final Supplier<BerthClient> clients;
  private final Thread reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();

  /** Guarded by the lock. */
  private final List<EventView> events = new ArrayList<>();

  /** How many of the events are ends of runs. Guarded by the lock. */
  private int ends;

  /** How many of the events are deletions. Guarded by the lock. */
  private int deletions;

  private volatile boolean closed;

  RunFollower(String project, Supplier<BerthClient> clients) {
    this.project = project;
    this.clients = clients;
    this.reader = Thread.ofPlatform().name("run-follower").daemon().start(this::read);
  }

  private void read() {
    long position = 0;
    while (!closed) {
      try (BerthClient client = clients.get()) {
        while (!closed) {
          EventList page = client.events(project, position, 1000, 1);
          position = page.next();
          add(page.events());
        }
      } catch (ClientException e) {
        if (!e.isUnreachable() && e.status() != 503) {
          throw e;
        }
        // The next server is asked for the same events.
        Await.pause();
      }
    }
  }

  private void add(List<EventView> page) {
    lock.lock();
    try {
      events.addAll(page);
      ends += (int) page.stream().filter(event -> event.kind().equals("run.ended")).count();
      deletions += (int) page.stream().filter(event -> event.kind().equals("run.deleted")).count();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until so many runs have ended; gives up when nothing happens any more. */
  void awaitEnds(int wanted) {
    await(wanted + " runs have ended", () -> ends >= wanted);
  }

  void awaitDeleted(int wanted) {
    await(wanted + " runs are deleted", () -> deletions >= wanted);
  }

  /** Waits until an event of this kind has come. */
  void awaitEvent(String what, Predicate<EventView> wanted) {
    await(what, () -> events.stream().anyMatch(wanted));
  }

  /** What is waited for, looked at under the lock. */
  interface Seen {
    boolean now();
  }

  void await(String what, Seen seen) {
    lock.lock();
    try {
      while (!seen.now()) {
        int before = events.size();
        long left = Await.AT_MOST.toNanos();
        while (left > 0 && events.size() == before) {
          left = arrived.awaitNanos(left);
        }
        if (events.size() == before) {
          throw new AssertionError(
              "nothing happened for "
                  + Await.AT_MOST.toSeconds()
                  + " s, but not this: "
                  + what
                  + "; the last events: "
                  + events.subList(Math.max(0, before - 10), before));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  List<EventView> events() {
    lock.lock();
    try {
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }

  /** The runs whose events are of a kind, in the order of the events. */
  List<String> runs(String kind) {
    return events().stream()
        .filter(event -> event.kind().equals(kind))
        .map(EventView::entityId)
        .toList();
  }

  /** All runs that the server lists. */
  List<RunView> all(BerthClient client) {
    List<RunView> runs = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      RunList page = client.list(project, true, 1000, cursor);
      runs.addAll(page.runs());
      cursor = page.next();
    } while (cursor != null);
    return runs;
  }

  @Override
  public void close() {
    closed = true;
    try {
      reader.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
