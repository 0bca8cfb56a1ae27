package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Found;
import dev.berth.spi.Owner;
import dev.berth.spi.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Looks through all that a backend has of ours for what the ledger does not know. A step machine:
 * {@link #step} may be called by one thread at a time.
 */
final class Sweeper {
  private static final System.Logger LOG = System.getLogger(Sweeper.class.getName());

  static final Duration EVERY = Duration.ofMinutes(5);

  /** After a look that failed. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(30);

  /** A backend is not asked for more jobs than this by one call. */
  private static final int MOST_AT_ONCE = 100;

  /** Soon after a start, because a server before us may have left something. */
  static final Duration FIRST_AFTER = Duration.ofMinutes(1);

  private final String backend;
  private final Compute compute;
  private final Owner owner;
  private final Ledger ledger;
  private final String realm;
  private final LongSupplier newestSeq;
  private final Consumer<Message> report;
  private final Instruments instruments;
  private volatile Instant at;

  /** Keys of finished attempts with several jobs that were told. Only for the stepping thread. */
  private final Set<String> told = new HashSet<>();

  /** Keys of finished attempts whose jobs were seen to have ended. As those that were told. */
  private final Set<String> over = new HashSet<>();

  /** Whether the world is newer than the ledger, so that nothing may be swept. */
  private volatile boolean stopped;

  /** A key that jobs carry, with how many carry it. */
  private record Listed(String key, int count, Standing standing) {}

  /** What the ledger says of the attempt that a job belongs to. */
  private enum Standing {
    ACTIVE,
    ENDED,
    /** Its run was deleted just now. */
    BEING_REMOVED,
    UNKNOWN
  }

  Sweeper(
      String backend,
      Compute compute,
      Owner owner,
      Ledger ledger,
      String realm,
      LongSupplier newestSeq,
      Consumer<Message> report,
      Instruments instruments,
      Instant first) {
    this.backend = backend;
    this.compute = compute;
    this.owner = owner;
    this.ledger = ledger;
    this.realm = realm;
    this.newestSeq = newestSeq;
    this.report = report;
    this.instruments = instruments;
    this.at = first;
  }

  Optional<Instant> next(Instant now) {
    return Optional.of(at.isBefore(now) ? now : at);
  }

  boolean isStopped() {
    return stopped;
  }

  /** Looks, where it is time. A look that fails halfway says nothing. */
  void step(Instant now) {
    if (now.isBefore(at)) {
      return;
    }
    at = now.plus(EVERY);
    try {
      long seq = newestSeq.getAsLong();
      List<Message.Swept.Stranger> strangers = new ArrayList<>(things(seq));
      List<Listed> jobs = jobs();
      strangers.addAll(strangers(jobs));
      instruments.swept(backend, strangers.size());
      if (!stopped) {
        forgetAllBut(jobs);
        Set<String> needless = new LinkedHashSet<>(doubled(jobs));
        needless.addAll(leftRunning(jobs));
        report.accept(new Message.Swept(backend, strangers, List.copyOf(needless)));
      }
    } catch (BackendException e) {
      boolean patience =
          e instanceof BackendException.RateLimited limited
              && limited.delay().compareTo(AGAIN_AFTER) > 0;
      at = now.plus(patience ? ((BackendException.RateLimited) e).delay() : AGAIN_AFTER);
      LOG.log(
          System.Logger.Level.WARNING,
          "What " + backend + " has of ours could not be listed: " + e.getMessage());
    }
  }

  private List<Message.Swept.Stranger> things(long seq) {
    List<Message.Swept.Stranger> strangers = new ArrayList<>();
    for (Found found :
        compute.provisioner().map(provisioner -> provisioner.list(owner)).orElse(List.of())) {
      if (seqOf(found) > seq) {
        stop(found);
      }
      if (found.state() != Found.State.LEAVING && !isRecorded(found)) {
        strangers.add(
            new Message.Swept.Stranger(
                found.ref().type(),
                found.ref().key(),
                new Resource.Ref(found.ref().id(), found.ref().region(), found.ref().data())));
      }
    }
    return strangers;
  }

  private static long seqOf(Found found) {
    String seq = found.tags().get(Tags.SEQ);
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
              + backend
              + " is newer than the ledger, which must have been set back to an older copy");
    }
  }

  /** Whether the ledger knows this very thing, not only its key. */
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
    return resource.active() && (ref == null || ref.id().equals(found.ref().id()));
  }

  /** All keys that jobs carry, each with what the ledger says of it, which is read once. */
  private List<Listed> jobs() {
    Map<String, Integer> counts = new TreeMap<>();
    compute
        .runtime()
        .map(runtime -> runtime.list(owner))
        .orElse(List.of())
        .forEach(key -> counts.merge(key, 1, Integer::sum));
    List<Listed> jobs = new ArrayList<>();
    counts.forEach((key, count) -> jobs.add(new Listed(key, count, standing(key))));
    return jobs;
  }

  private Standing standing(String key) {
    return ledger
        .find(realm, new EntityKey("attempt", key))
        .map(attempt -> attempt.row().active() ? Standing.ACTIVE : Standing.ENDED)
        .orElseGet(() -> isBeingRemoved(key) ? Standing.BEING_REMOVED : Standing.UNKNOWN);
  }

  private boolean isBeingRemoved(String key) {
    return ledger
        .findAction(realm, key + "-remove")
        .filter(stored -> !stored.row().state().finished())
        .isPresent();
  }

  private static List<Message.Swept.Stranger> strangers(List<Listed> jobs) {
    return jobs.stream()
        .filter(job -> job.standing() == Standing.UNKNOWN)
        .map(
            job ->
                new Message.Swept.Stranger(
                    Resource.Type.JOB, job.key(), new Resource.Ref(job.key(), "", Map.of())))
        .toList();
  }

  private void forgetAllBut(List<Listed> jobs) {
    Set<String> keys = jobs.stream().map(Listed::key).collect(Collectors.toSet());
    told.retainAll(keys);
    over.retainAll(keys);
  }

  private List<String> doubled(List<Listed> jobs) {
    return jobs.stream()
        .filter(job -> job.count() > 1 && isToBeTold(job))
        .map(Listed::key)
        .toList();
  }

  /** Those of finished attempts are ended once, and are listed until their run is deleted. */
  private boolean isToBeTold(Listed job) {
    return switch (job.standing()) {
      case ACTIVE -> true;
      case ENDED -> told.add(job.key());
      case BEING_REMOVED, UNKNOWN -> false;
    };
  }

  /** Jobs that run though their attempts have ended: a start that came late. */
  private List<String> leftRunning(List<Listed> jobs) {
    List<String> unclear =
        jobs.stream()
            .filter(job -> job.standing() == Standing.ENDED && !over.contains(job.key()))
            .map(Listed::key)
            .toList();
    List<String> running = new ArrayList<>();
    for (int from = 0; from < unclear.size(); from += MOST_AT_ONCE) {
      List<String> some = unclear.subList(from, Math.min(unclear.size(), from + MOST_AT_ONCE));
      List<JobObservation> seen = observe(some);
      for (int i = 0; i < seen.size(); i++) {
        switch (seen.get(i)) {
          case JobObservation.Running _, JobObservation.Prepared _ -> running.add(some.get(i));
          // One that is lost was killed before its attempt ended.
          case JobObservation.Exited _, JobObservation.Lost _ -> over.add(some.get(i));
          case JobObservation.Absent _ -> {}
        }
      }
    }
    return running;
  }

  /** How jobs are; nothing where that cannot be seen, because then the next look tells. */
  private List<JobObservation> observe(List<String> keys) {
    try {
      return compute.runtime().map(runtime -> runtime.observe(keys)).orElse(List.of());
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Ended jobs of " + backend + " could not be seen: " + e.getMessage());
      return List.of();
    }
  }
}
