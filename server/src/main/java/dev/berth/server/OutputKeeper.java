package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.Engine;
import dev.berth.control.LastLook;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;

/**
 * Keeps what jobs have written on machines that were bought, before these are given back, and
 * deletes it with the run. Follows the events, and keeps how far it is in the ledger, so that the
 * server after a crash goes on from there.
 */
final class OutputKeeper implements LastLook, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(OutputKeeper.class.getName());

  /** A machine costs money: it does not wait longer for its output to be copied. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(60);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(2);
  private static final int PAGE = 1000;
  private static final EntityKey POSITION = new EntityKey("output-position", "main");

  private final Engine engine;
  private final Ledger ledger;
  private final Store store;
  private final BlobStore blobs;
  private final OutputCopy copy;
  private final Thread thread =
      Thread.ofVirtual().name("berth-output-keeper").unstarted(this::follow);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();

  /** The number of the newest event that was dealt with. Guarded by the lock. */
  private long position;

  /** Guarded by the lock. */
  private boolean closed;

  /** How far that is in the ledger. Only for the thread. */
  private long recorded;

  /** Whether there ever was output to keep. Only for the thread. */
  private boolean everKept;

  OutputKeeper(Engine engine, Ledger ledger, Store store, BlobStore blobs, JobOutputs outputs) {
    this.engine = engine;
    this.ledger = ledger;
    this.store = store;
    this.blobs = blobs;
    this.copy = new OutputCopy(outputs, blobs);
  }

  /** Goes on where the server before us was; the first one begins with what comes. */
  void start() {
    recorded =
        KeptRow.find(ledger, POSITION)
            .map(kept -> kept.path("seq"))
            .filter(JsonNode::isNumber)
            .map(JsonNode::asLong)
            .orElseGet(engine::newestEvent);
    everKept = KeptOutput.isAny(ledger);
    moveTo(recorded);
    thread.start();
  }

  @Override
  public void beforeDeletion() throws InterruptedException {
    long target = engine.newestEvent();
    long nanos = LONGEST_DELAY.toNanos();
    lock.lock();
    try {
      while (position < target && !closed) {
        if (nanos <= 0) {
          LOG.log(
              System.Logger.Level.WARNING,
              "A machine is given back before all output of its jobs was copied");
          return;
        }
        nanos = moved.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void moveTo(long seq) {
    lock.lock();
    try {
      position = seq;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void follow() {
    long at = recorded;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          at = isAwake() ? page(at) : engine.newestEvent();
          moveTo(at);
          if (at - recorded >= PAGE) {
            record(at);
          }
          engine.awaitEvents(at, LOOK_EVERY);
        } catch (RuntimeException e) {
          // Whatever it is: a keeper that ends would hold up every deletion.
          LOG.log(
              System.Logger.Level.WARNING, "Output of jobs cannot be kept now: " + e.getMessage());
          Thread.sleep(AGAIN_AFTER);
        }
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "No more output is kept");
    }
  }

  /** Without machines that are bought, events need not be read. */
  private boolean isAwake() {
    return everKept
        || engine.backends().values().stream()
            .anyMatch(compute -> compute.traits().base() == Traits.Base.MACHINES);
  }

  /** Deals with some events; returns the number up to which there are no more. */
  private long page(long after) throws InterruptedException {
    EventList page = store.events(null, after, PAGE);
    Map<String, Attempt> ended = new LinkedHashMap<>();
    List<String> deleted = new ArrayList<>();
    for (EventView event : page.events()) {
      if (event.kind().equals("attempt.ended")) {
        find("attempt", event.entityId(), Attempt.class)
            .filter(this::isToKeep)
            .ifPresent(attempt -> ended.put(attempt.id(), attempt));
      } else if (event.kind().equals("run.deleted")) {
        deleted.add(event.entityId());
      }
    }
    for (KeptOutput kept : copy.all(List.copyOf(ended.values()))) {
      keep(kept, Objects.requireNonNull(ended.get(kept.attempt())));
    }
    deleted.forEach(this::forget);
    if (!ended.isEmpty() || !deleted.isEmpty()) {
      record(page.next());
    }
    return page.next();
  }

  /** Whether it ran on a machine that will be given back, and was not kept before a crash. */
  private boolean isToKeep(Attempt attempt) {
    String machine = attempt.instanceId();
    return machine != null
        && attempt.startedAt() != null
        && find("instance", machine, Instance.class)
            .filter(instance -> instance.purchase() != null)
            .isPresent()
        && KeptOutput.find(ledger, attempt.id()).isEmpty();
  }

  private <E extends Entity> Optional<E> find(String kind, String id, Class<E> type) {
    return ledger
        .find(Ledger.MAIN_REALM, new EntityKey(kind, id))
        .map(stored -> type.cast(Codec.entity(stored.row())));
  }

  private void keep(KeptOutput kept, Attempt of) {
    ledger.commit(engine.tenure(), Commit.builder().put(kept.row(of)).build());
    everKept = true;
  }

  private void forget(String run) {
    for (KeptOutput kept : KeptOutput.ofRun(ledger, run)) {
      List<BlobName> pieces = new ArrayList<>();
      blobs.list(KeptOutput.space(kept.attempt()), blob -> pieces.add(blob.name()));
      pieces.forEach(blobs::delete);
      ledger.commit(
          engine.tenure(), Commit.builder().delete(KeptOutput.key(kept.attempt())).build());
    }
  }

  private void record(long seq) {
    ledger.commit(
        engine.tenure(), Commit.builder().put(KeptRow.of(POSITION, Map.of("seq", seq))).build());
    recorded = seq;
  }

  @Override
  public void close() {
    thread.interrupt();
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
