package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.ControlPlane;
import dev.berth.control.ReleaseGate;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.spi.Offers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps what jobs have written at places that cost money, before these are given back, and deletes
 * it with the run. Follows the events, and keeps how far it is in the ledger, so that the server
 * after a crash goes on from there.
 */
final class OutputKeeper implements ReleaseGate, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(OutputKeeper.class.getName());

  /** A machine costs money: it does not wait longer for its output to be copied. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(60);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(2);
  private static final int PAGE = 1000;
  private static final EntityKey POSITION = new EntityKey("output-position", "main");

  private final ControlPlane control;
  private final Ledger ledger;
  private final Store store;
  private final BlobStore blobs;
  private final OutputCopy copy;
  private final OutputWork work = new OutputWork(AGAIN_AFTER);
  private final GroupedCommits commits;
  private final Thread thread =
      Thread.ofVirtual().name("berth-output-keeper").unstarted(this::follow);

  /** How far the ledger says that we are. Only for the thread. */
  private long recorded;

  /** Whether there ever was output to keep. */
  private volatile boolean everKept;

  OutputKeeper(
      ControlPlane control, Ledger ledger, Store store, BlobStore blobs, JobOutputs outputs) {
    this.control = control;
    this.ledger = ledger;
    this.store = store;
    this.blobs = blobs;
    this.copy = new OutputCopy(outputs, blobs);
    this.commits = new GroupedCommits(commit -> ledger.commit(control.tenure(), commit));
  }

  /** Goes on where the server before us was; the first one begins with what comes. */
  void start() {
    Optional<Long> before =
        KeptRow.find(ledger, POSITION)
            .map(kept -> kept.path("seq"))
            .filter(JsonNode::isNumber)
            .map(JsonNode::asLong);
    recorded = before.orElseGet(control::newestEvent);
    if (before.isEmpty()) {
      record(recorded);
    }
    everKept = KeptOutput.isAny(ledger);
    work.moveTo(recorded);
    thread.start();
  }

  @Override
  public void beforeDeletion(String resourceId) throws InterruptedException {
    long newest = control.newestEvent();
    String place = find("resource", resourceId, Resource.class).map(Resource::ownerId).orElse(null);
    if (!work.awaitPlace(newest, place, LONGEST_DELAY)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The place " + resourceId + " is released before all output there was copied");
    }
  }

  private void follow() {
    long at = recorded;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          at = isAwake() ? page(at) : control.newestEvent();
          work.moveTo(at);
          // A commit for each event would cost more than to look at some twice after a crash.
          if (work.doneUpTo() - recorded >= PAGE) {
            record(work.doneUpTo());
          }
          control.awaitEvents(at, LOOK_EVERY);
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

  /** Where nothing is bought, events need not be read. */
  private boolean isAwake() {
    return everKept
        || control.backends().values().stream()
            .anyMatch(compute -> !(compute.offers() instanceof Offers.OwnMachines));
  }

  /** Begins what follows from some events; returns the number up to which there are no more. */
  private long page(long after) {
    EventList page = store.events(null, after, PAGE);
    List<Runnable> begun = new ArrayList<>();
    for (EventView event : page.events()) {
      if (event.kind().equals("attempt.ended")) {
        find("attempt", event.entityId(), Attempt.class)
            .filter(this::isToKeep)
            .ifPresent(
                attempt ->
                    begun.add(
                        () ->
                            work.begin(
                                item(event, attempt.runId(), placeOf(attempt)),
                                () -> keep(attempt))));
      } else if (event.kind().equals("run.deleted")) {
        String run = event.entityId();
        begun.add(
            () ->
                work.begin(
                    item(event, run, null),
                    () -> {
                      work.awaitRun(event.seq(), run);
                      forget(run);
                    }));
      }
    }
    // Not before all was looked at: a page whose reading fails is read again.
    begun.forEach(Runnable::run);
    return page.next();
  }

  private static OutputWork.Item item(EventView event, String run, @Nullable String place) {
    return new OutputWork.Item(event.seq(), run, place);
  }

  /** What is given back when its output is copied: a machine, or the job's own place. */
  private static String placeOf(Attempt attempt) {
    return attempt.instanceId() == null ? attempt.id() : attempt.instanceId();
  }

  /** Whether it ran at a place that will be given back, and was not kept before a crash. */
  private boolean isToKeep(Attempt attempt) {
    String machine = attempt.instanceId();
    return attempt.startedAt() != null
        && (machine == null
            || find("instance", machine, Instance.class)
                .filter(instance -> instance.purchase() != null)
                .isPresent())
        && KeptOutput.find(ledger, attempt.id()).isEmpty();
  }

  private <E extends Entity> Optional<E> find(String kind, String id, Class<E> type) {
    return ledger
        .find(Ledger.MAIN_REALM, new EntityKey(kind, id))
        .map(stored -> type.cast(Codec.entity(stored.row())));
  }

  private void keep(Attempt attempt) throws InterruptedException {
    KeptOutput kept = copy.of(attempt);
    commits.put(kept.row(attempt));
    everKept = true;
  }

  private void forget(String run) {
    for (KeptOutput kept : KeptOutput.ofRun(ledger, run)) {
      List<BlobName> pieces = new ArrayList<>();
      blobs.list(KeptOutput.space(kept.attempt()), blob -> pieces.add(blob.name()));
      pieces.forEach(blobs::delete);
      ledger.commit(
          control.tenure(), Commit.builder().delete(KeptOutput.key(kept.attempt())).build());
    }
  }

  private void record(long seq) {
    ledger.commit(
        control.tenure(), Commit.builder().put(KeptRow.of(POSITION, Map.of("seq", seq))).build());
    recorded = seq;
  }

  @Override
  public void close() {
    thread.interrupt();
    work.close();
  }
}
