package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The jobs of ours that a backend or a machine has, compared with what the ledger says of them.
 * Only for the thread that steps the sweeper.
 */
final class JobSweep {
  private static final System.Logger LOG = System.getLogger(JobSweep.class.getName());

  /** Nobody is asked for more jobs than this by one call. */
  private static final int MOST_AT_ONCE = 100;

  private final String place;
  private final Supplier<Optional<JobRuntime>> runtime;
  private final Owner owner;
  private final Ledger ledger;
  private final String realm;

  /** Keys of finished attempts with several jobs that were told. */
  private final Set<String> told = new HashSet<>();

  /** Keys of finished attempts whose jobs were seen to have ended. */
  private final Set<String> over = new HashSet<>();

  /** A key that jobs carry, with how many carry it. */
  record Listed(String key, int count, Standing standing) {}

  /** What the ledger says of the attempt that a job belongs to. */
  enum Standing {
    ACTIVE,
    ENDED,
    /** It has ended, and so has the rent of the place that was its own. */
    GIVEN_BACK,
    /** Its run was deleted just now. */
    BEING_REMOVED,
    UNKNOWN
  }

  /**
   * Remembers nothing yet.
   *
   * @param place the name of what has the jobs
   * @param runtime who runs them; empty where nobody does, and fails while nobody answers
   */
  JobSweep(
      String place,
      Supplier<Optional<JobRuntime>> runtime,
      Owner owner,
      Ledger ledger,
      String realm) {
    this.place = place;
    this.runtime = runtime;
    this.owner = owner;
    this.ledger = ledger;
    this.realm = realm;
  }

  /** All keys that jobs carry, each with what the ledger says of it, which is read once. */
  List<Listed> list() {
    Map<String, Integer> counts = new TreeMap<>();
    runtime
        .get()
        .map(there -> there.list(owner))
        .orElse(List.of())
        .forEach(key -> counts.merge(key, 1, Integer::sum));
    List<Listed> jobs = new ArrayList<>();
    counts.forEach((key, count) -> jobs.add(new Listed(key, count, standing(key))));
    return jobs;
  }

  private Standing standing(String key) {
    return ledger
        .find(realm, new EntityKey("attempt", key))
        .map(attempt -> attempt.row().active() ? Standing.ACTIVE : ended(attempt.row()))
        .orElseGet(() -> isBeingRemoved(key) ? Standing.BEING_REMOVED : Standing.UNKNOWN);
  }

  private Standing ended(EntityRow attempt) {
    boolean givenBack =
        ((Attempt) Codec.entity(attempt)).instanceId() == null
            && ledger
                .find(realm, new EntityKey("resource", attempt.key().id()))
                .filter(resource -> resource.row().active())
                .isEmpty();
    return givenBack ? Standing.GIVEN_BACK : Standing.ENDED;
  }

  private boolean isBeingRemoved(String key) {
    return ledger
        .findAction(realm, key + "-remove")
        .filter(stored -> !stored.row().state().finished())
        .isPresent();
  }

  static List<Message.Swept.Stranger> strangers(List<Listed> jobs) {
    return jobs.stream()
        .filter(job -> job.standing() == Standing.UNKNOWN)
        .map(
            job ->
                new Message.Swept.Stranger(
                    ResourceType.JOB, job.key(), new Resource.Ref(job.key(), "", Map.of())))
        .toList();
  }

  /** Keys of jobs that are there though their places were given back: starts that came late. */
  static List<String> rented(List<Listed> jobs) {
    return jobs.stream()
        .filter(job -> job.standing() == Standing.GIVEN_BACK)
        .map(Listed::key)
        .toList();
  }

  /**
   * Keys of jobs that are there though nobody needs them: more than one of a key, and those that
   * run though their attempts have ended. Changes what is remembered of those that were listed.
   */
  List<String> needless(List<Listed> jobs) {
    forgetAllBut(jobs);
    Set<String> needless = new LinkedHashSet<>(doubled(jobs));
    needless.addAll(leftRunning(jobs));
    return List.copyOf(needless);
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
      case GIVEN_BACK, BEING_REMOVED, UNKNOWN -> false;
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
      return runtime.get().map(there -> there.observe(keys)).orElse(List.of());
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Ended jobs of " + place + " could not be seen: " + e.getMessage());
      return List.of();
    }
  }
}
