package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over those who wait for a place: the higher priority first, then in the order in which
 * they came. Whoever has to wait for machines that are there reserves them: those behind take them
 * only if they are sure to be done before. Offers are not scarce in that way.
 */
final class Scheduler {
  private final Draft draft;
  private final OfferView offers;
  private final Instant now;
  private final HostSelection hosts;

  /**
   * Machines that somebody in front waits for, with the time at which it is sure to get them; the
   * beginning of time where nobody knows.
   */
  private final Map<String, Instant> awaited = new HashMap<>();

  /** Shapes that nothing could be done for in this pass. */
  private final Set<String> stuck = new HashSet<>();

  Scheduler(Draft draft, OfferView offers, Instant now) {
    this.draft = draft;
    this.offers = offers;
    this.now = now;
    this.hosts = new HostSelection(draft);
  }

  private static final Comparator<Placement> LINE =
      Comparator.comparingInt(Placement::priority)
          .reversed()
          .thenComparing(Placement::since)
          .thenComparing(Placement::id);

  void pass() {
    for (Fleet fleet : List.copyOf(draft.active(Fleet.class))) {
      FleetLife.reconcile(draft, fleet, offers, now);
    }
    draft.active(Placement.class).stream()
        .filter(Scheduler::isInLine)
        .sorted(LINE)
        .map(Placement::id)
        .toList()
        .forEach(
            // The end of one in front may have ended others of its run.
            id ->
                draft.find(Placement.class, id).filter(Scheduler::isInLine).ifPresent(this::place));
  }

  private static boolean isInLine(Placement placement) {
    return placement.phase() == Placement.State.RESERVING && placement.notBefore() == null;
  }

  /** Places one, ends it where nothing could ever take it, or lets it wait. */
  private void place(Placement placement) {
    if (placement.tried().isEmpty() && stuck.contains(question(placement))) {
      return;
    }
    List<Attempt> members =
        placement.members().stream()
            .map(member -> draft.find(Attempt.class, member).orElseThrow())
            .toList();
    List<Job> jobs =
        members.stream()
            .map(member -> draft.find(Job.class, member.jobId()).orElseThrow())
            .toList();
    List<JobSpec.Requirements> needs = jobs.stream().map(job -> job.spec().requirements()).toList();
    Optional<List<HostSelection.HostMatch>> found = hosts.forAll(placement, needs, barred(jobs));
    if (found.isPresent()) {
      take(placement, members, jobs, found.get());
      return;
    }
    if (awaits(placement, needs)) {
      // What is there costs nothing, so it is waited for before anything is bought.
      stuck.add(question(placement));
      return;
    }
    switch (new Provisioning(draft, offers, now).buy(placement, members, jobs)) {
      case BOUGHT -> {}
      case WAIT -> {
        reserve(placement, needs);
        stuck.add(question(placement));
      }
      // Those who could take it may not have been heard of yet.
      case UNKNOWN -> stuck.add(question(placement));
      case NOTHING -> giveUp(placement);
    }
  }

  /** Equal for those who get the same answer: machines and fleets are those of a project. */
  private static String question(Placement placement) {
    return placement.project() + "/" + placement.shape();
  }

  /** The machines that a job may not take, because it could delay somebody in front. */
  private Set<String> barred(List<Job> jobs) {
    Set<String> barred = new HashSet<>();
    awaited.forEach(
        (machine, until) -> {
          for (Job job : jobs) {
            Duration most = mostTime(job.spec());
            if (most == null || now.plus(most).isAfter(until)) {
              barred.add(machine);
            }
          }
        });
    return barred;
  }

  /** How long a job may take with its stop; null for ever. */
  private static @Nullable Duration mostTime(JobSpec spec) {
    Duration most = spec.maxDuration();
    Duration stop = spec.stopDuration();
    return most == null || stop == null ? null : most.plus(stop);
  }

  /**
   * Whether there are machines of users' own that could take all members; then it waits for them.
   */
  private boolean awaits(Placement placement, List<JobSpec.Requirements> needs) {
    Set<String> own = new HashSet<>();
    for (int rank = 0; rank < needs.size(); rank++) {
      List<Instance> machines =
          hosts.suitable(placement, rank, needs.get(rank)).stream()
              .filter(machine -> machine.purchase() == null)
              .toList();
      if (machines.isEmpty()) {
        return false;
      }
      machines.forEach(machine -> own.add(machine.id()));
    }
    if (own.size() < needs.size()) {
      return false;
    }
    reserve(placement, needs);
    return true;
  }

  private void reserve(Placement placement, List<JobSpec.Requirements> needs) {
    Map<Instance, Optional<Instant>> machines = new HashMap<>();
    for (int rank = 0; rank < needs.size(); rank++) {
      Wishes wishes = placement.wishesOf(rank).orElse(null);
      JobSpec.Requirements wanted = needs.get(rank);
      for (Instance machine : hosts.suitable(placement, rank, wanted)) {
        Optional<Instant> fits = hosts.fitsAt(wishes, wanted, machine, now);
        machines.merge(machine, fits.map(at -> afterThoseInFront(machine, at)), Scheduler::earlier);
      }
    }
    Instant start =
        machines.values().stream().anyMatch(Optional::isEmpty)
            ? Instant.MIN
            : machines.values().stream()
                .flatMap(Optional::stream)
                .sorted()
                .skip(needs.size() - 1L)
                .findFirst()
                .orElse(Instant.MIN);
    machines
        .keySet()
        .forEach(machine -> awaited.merge(machine.id(), start, (a, b) -> a.isBefore(b) ? a : b));
  }

  private Instant afterThoseInFront(Instance machine, Instant at) {
    Instant taken = awaited.getOrDefault(machine.id(), at);
    return taken.isAfter(at) ? taken : at;
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
  }

  private void take(
      Placement placement,
      List<Attempt> members,
      List<Job> jobs,
      List<HostSelection.HostMatch> found) {
    for (int rank = 0; rank < members.size(); rank++) {
      HostSelection.HostMatch match = found.get(rank);
      Attempt attempt = members.get(rank);
      Instance machine =
          draft
              .find(Instance.class, match.machine().id())
              .orElseThrow()
              .allocate(attempt.id(), match.share());
      draft.put(machine);
      Attempt placed = attempt.placedOn(machine, match.price());
      draft.put(placed);
      draft.put(jobs.get(rank).in(JobStatus.PROVISIONING, null));
      draft
          .find(Run.class, placed.runId())
          .ifPresent(run -> draft.put(run.placedOn(machine.backend(), placed.price())));
      draft.event(
          "attempt.placed",
          placed,
          Event.SERVER,
          Map.of("instance", machine.name(), "backend", BackendKey.name(machine.backend())));
    }
    Placement creating = placement.in(Placement.State.CREATING);
    draft.put(creating);
    Starts.proceed(draft, creating, now);
    RunLife.follow(draft, placement.runId(), now);
  }

  private void giveUp(Placement placement) {
    if (draft.active(Instance.class).isEmpty() && offers.isEmpty()) {
      stuck.add(question(placement));
      return;
    }
    ReplicaLife.noCapacity(draft, placement, nothingLeft(placement), now);
  }

  private String nothingLeft(Placement placement) {
    int tried = placement.tried().size();
    if (tried > 0) {
      String last = draft.find(Run.class, placement.runId()).map(Run::message).orElse(null);
      return "none of the "
          + tried
          + (tried == 1 ? " offer" : " offers")
          + " had capacity"
          + (last == null ? "" : ": " + last);
    }
    if (offers.isEmpty()) {
      return "no machine matches 'resources'";
    }
    int matching =
        placement
            .wishesOf(0)
            .map(wishes -> offers.offers(OfferRequirement.of(wishes)).candidates().size())
            .orElse(0);
    return switch (matching) {
      case 0 -> "no machine and no offer matches the configuration";
      case 1 -> "the only matching offer is not available now";
      default -> "none of the " + matching + " matching offers is available now";
    };
  }
}
