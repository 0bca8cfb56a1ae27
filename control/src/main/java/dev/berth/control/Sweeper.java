package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.Resource;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Listing;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks through all that a backend, or a machine on which Berth runs jobs, has of ours for what the
 * ledger does not know. A step machine: {@link #step} may be called by one thread at a time.
 */
final class Sweeper {
  private static final System.Logger LOG = System.getLogger(Sweeper.class.getName());

  static final Duration EVERY = Duration.ofMinutes(5);

  /** After a look that failed. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(30);

  /** Soon after a start, because a server before us may have left something. */
  static final Duration FIRST_AFTER = Duration.ofMinutes(1);

  /** Machines are looked through at different times, and none much later than a backend. */
  private static final Duration SPREAD = Duration.ofMinutes(2);

  private static final Listing NOTHING = Listing.all(List.of());

  private final Place place;
  private final JobSweep jobs;
  private final Owner owner;
  private final Ledger ledger;
  private final String realm;
  private final LongSupplier newestSeq;
  private final Consumer<Message> report;
  private final Instruments instruments;
  private volatile Instant at;

  /** Whether the world is newer than the ledger, so that nothing may be swept. */
  private volatile boolean stopped;

  /** Whether the last report was heard, and was that nothing is unknown or needless. */
  private volatile boolean clean;

  /**
   * What is looked through.
   *
   * @param machineId null for a backend, with all that it has
   * @param things who lists what is no job; empty where only jobs are looked for
   * @param jobs who runs the jobs; empty where nobody does, and fails while nobody answers
   * @param held whether nothing may be swept there for a reason that this sweeper cannot see
   */
  record Place(
      String backend,
      @Nullable String machineId,
      Optional<Provisioner> things,
      Supplier<Optional<JobRuntime>> jobs,
      BooleanSupplier held) {
    static Place of(String backend, Compute compute) {
      return new Place(backend, null, compute.provisioner(), compute::runtime, () -> false);
    }

    static Place on(
        MachineConnector.Machine machine, Supplier<JobRuntime> jobs, BooleanSupplier held) {
      return new Place(
          machine.backend(), machine.id(), Optional.empty(), () -> Optional.of(jobs.get()), held);
    }

    String name() {
      return machineId == null ? backend : machineId;
    }
  }

  Sweeper(
      Place place,
      Owner owner,
      Ledger ledger,
      String realm,
      LongSupplier newestSeq,
      Consumer<Message> report,
      Instruments instruments,
      Instant first) {
    this.place = place;
    this.jobs = new JobSweep(place.name(), place.jobs(), owner, ledger, realm);
    this.owner = owner;
    this.ledger = ledger;
    this.realm = realm;
    this.newestSeq = newestSeq;
    this.report = report;
    this.instruments = instruments;
    this.at = first;
  }

  /** When a machine that came now is looked through first. */
  static Instant firstOf(String machineId, Instant now) {
    long later = Math.floorMod(machineId.hashCode(), SPREAD.toMillis());
    return now.plus(FIRST_AFTER).plusMillis(later);
  }

  Optional<Instant> next(Instant now) {
    return Optional.of(at.isBefore(now) ? now : at);
  }

  boolean isStopped() {
    return stopped;
  }

  /** What was told may not have been heard: tells it once more. */
  void forget() {
    clean = false;
  }

  /** Looks, where it is time. A look that fails halfway says nothing. */
  void step(Instant now) {
    if (now.isBefore(at)) {
      return;
    }
    at = now.plus(EVERY);
    try {
      long seq = newestSeq.getAsLong();
      Listing things = place.things().map(all -> all.list(owner)).orElse(NOTHING);
      if (!things.unseen().isEmpty()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "Not all of %s could be listed, and the rest is left alone: %s"
                .formatted(place.name(), new TreeMap<>(things.unseen())));
      }
      List<Message.Swept.Stranger> strangers = new ArrayList<>(strangers(things, seq));
      List<JobSweep.Listed> listed = jobs.list();
      strangers.addAll(JobSweep.strangers(listed));
      if (place.machineId() == null) {
        instruments.swept(place.backend(), strangers.size());
      }
      if (!stopped && !place.held().getAsBoolean()) {
        tell(
            new Message.Swept(
                place.backend(),
                place.machineId(),
                strangers,
                jobs.needless(listed),
                JobSweep.rented(listed),
                things.unseen().keySet()));
      }
    } catch (BackendException e) {
      boolean patience =
          e instanceof BackendException.RateLimited limited
              && limited.delay().compareTo(AGAIN_AFTER) > 0;
      at = now.plus(patience ? ((BackendException.RateLimited) e).delay() : AGAIN_AFTER);
      LOG.log(
          System.Logger.Level.WARNING,
          "What " + place.name() + " has of ours could not be listed: " + e.getMessage());
    }
  }

  /** There are many machines, so one is not mentioned again while nothing is wrong with it. */
  private void tell(Message.Swept swept) {
    boolean nothing =
        swept.strangers().isEmpty() && swept.doubled().isEmpty() && swept.rented().isEmpty();
    if (nothing && clean && place.machineId() != null) {
      return;
    }
    clean = nothing;
    report.accept(swept);
  }

  private List<Message.Swept.Stranger> strangers(Listing listing, long seq) {
    List<Message.Swept.Stranger> strangers = new ArrayList<>();
    for (Found found : listing.found()) {
      if (seqOf(found) > seq) {
        stop(found);
      }
      if (isThere(found) && !isRecorded(found)) {
        strangers.add(
            new Message.Swept.Stranger(
                found.ref().type(),
                found.ref().key(),
                new Resource.Ref(found.ref().id(), found.ref().region(), found.ref().data())));
      }
    }
    return strangers;
  }

  private static boolean isThere(Found found) {
    return found.state() != Found.State.LEAVING && found.state() != Found.State.REFUSED;
  }

  private static long seqOf(Found found) {
    String seq = found.tags().get(Marks.SEQ);
    try {
      return seq == null ? 0 : Long.parseLong(seq);
    } catch (NumberFormatException e) {
      // Somebody else wrote it there.
      LOG.log(System.Logger.Level.WARNING, found.ref().id() + " has a strange mark: " + seq);
      return 0;
    }
  }

  private void stop(Found found) {
    if (!stopped) {
      stopped = true;
      LOG.log(
          System.Logger.Level.ERROR,
          "Nothing is swept: "
              + found.ref().id()
              + " at "
              + place.name()
              + " is newer than the ledger, which must have been set back to an older copy");
    }
  }

  /** Whether the ledger knows this very thing, or what it is a part of, not only its key. */
  private boolean isRecorded(Found found) {
    String key = found.ref().key();
    return ledger
        .find(realm, new EntityKey("resource", key))
        .map(stored -> (Resource) Codec.entity(stored.row()))
        .filter(resource -> isSame(resource, found))
        .isPresent();
  }

  private static boolean isSame(Resource resource, Found found) {
    Resource.Ref ref = resource.ref();
    // One without a name is being asked for, or in doubt: that is decided by a look for its key.
    String id = found.partOf() == null ? found.ref().id() : found.partOf();
    return resource.active() && (ref == null || ref.id().equals(id));
  }
}
