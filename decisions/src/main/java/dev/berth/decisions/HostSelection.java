package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobSpec;
import dev.berth.model.Placement;
import dev.berth.model.Purchase;
import dev.berth.model.ResourceVector;
import dev.berth.model.Wishes;
import dev.berth.model.offers.OfferMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which of the machines that are there can take the members of a replica, now or ever. */
final class HostSelection {
  private final Draft draft;

  HostSelection(Draft draft) {
    this.draft = draft;
  }

  /** A part of a machine for one member. */
  record HostMatch(Instance machine, ResourceVector share, double price) {}

  /**
   * The machines that could take a member if nobody else used them, the cheapest first; as others
   * use them now.
   */
  List<Instance> suitable(Placement placement, int rank, JobSpec.Requirements needs) {
    Wishes wishes = placement.wishesOf(rank).orElse(null);
    Collection<Instance> machines = draft.active(Instance.class);
    DuplicateMachines duplicates = DuplicateMachines.among(machines);
    return machines.stream()
        .filter(machine -> isSuitable(placement, wishes, needs, machine))
        .map(duplicates::asUsed)
        .sorted(
            Comparator.comparingDouble(Instance::price)
                // Who needs no container is spared the making of one.
                .thenComparing(machine -> machine.engine() != null)
                .thenComparing(Instance::id))
        .toList();
  }

  private boolean isSuitable(
      Placement placement, @Nullable Wishes wishes, JobSpec.Requirements needs, Instance machine) {
    if (wishes != null && !isNamed(wishes, machine)) {
      return false;
    }
    Purchase purchase = machine.purchase();
    if (purchase == null) {
      return (wishes == null || isAllowedHost(wishes, machine)) && Fitting.fitsEver(needs, machine);
    }
    return wishes != null
        && machine.status().isReady()
        && purchase.unseenSince() == null
        && purchase.reason() == null
        && machine.project().equals(placement.project())
        && wishes.allow(machine.backend(), machine.backendType())
        && wishes.permit(purchase.offer())
        && isInFleet(wishes, placement, purchase)
        && isInReservation(wishes, purchase)
        && (!machine.isEquippedByUs() || wishes.suit(machine.engine()))
        && Blocks.needed(wishes.filter(), purchase).isPresent()
        && (placement.members().size() == 1 || purchase.blocks() == 1);
  }

  private static boolean isAllowedHost(Wishes wishes, Instance machine) {
    return wishes.allow(machine.backend(), machine.backendType())
        && wishes.suit(machine.engine())
        && wishes.machines().fleets().isEmpty();
  }

  static boolean isNamed(Wishes wishes, Instance machine) {
    List<String> named = wishes.machines().instances();
    return named.isEmpty()
        || named.contains(machine.name())
        || machine.bought().map(Purchase::address).filter(named::contains).isPresent();
  }

  private static boolean isInReservation(Wishes wishes, Purchase purchase) {
    String asked = wishes.machines().reservation();
    return asked == null || asked.equals(purchase.place().reservation());
  }

  private boolean isInFleet(Wishes wishes, Placement placement, Purchase purchase) {
    Fleet fleet = draft.find(Fleet.class, purchase.fleetId()).orElse(null);
    if (fleet == null || fleet.status() != Fleet.Status.ACTIVE) {
      return false;
    }
    List<String> named = wishes.machines().fleets();
    return (named.isEmpty() || named.contains(fleet.name()))
        && (placement.members().size() == 1 || fleet.spec().cluster());
  }

  /** The part of a machine that a member gets now; empty where too much of it is in use. */
  static Optional<HostMatch> match(
      @Nullable Wishes wishes, JobSpec.Requirements needs, Instance machine) {
    Purchase purchase = machine.purchase();
    if (purchase == null) {
      if (!machine.status().isReady()) {
        // It comes back, and is waited for.
        return Optional.empty();
      }
      return Fitting.share(needs, machine)
          .map(share -> new HostMatch(machine, share, machine.price()));
    }
    if (wishes == null || !machine.status().isReady()) {
      return Optional.empty();
    }
    return Blocks.needed(wishes.filter(), purchase)
        .flatMap(
            blocks ->
                Blocks.share(machine, blocks, purchase.blocks())
                    .map(
                        share ->
                            new HostMatch(
                                machine, share, machine.price() * blocks / purchase.blocks())));
  }

  /**
   * A match for every member, each on a machine of its own, near each other where they were bought;
   * empty where not all get one.
   *
   * @param barred machines that wait for somebody in front
   */
  Optional<List<HostMatch>> forAll(
      Placement placement, List<JobSpec.Requirements> needs, Set<String> barred) {
    if (needs.size() == 1) {
      return suitable(placement, 0, needs.getFirst()).stream()
          .filter(machine -> !barred.contains(machine.id()))
          .flatMap(
              machine ->
                  match(placement.wishesOf(0).orElse(null), needs.getFirst(), machine).stream())
          .findFirst()
          .map(List::of);
    }
    Set<String> areas = new LinkedHashSet<>();
    suitable(placement, 0, needs.getFirst()).forEach(machine -> areas.add(area(machine)));
    return areas.stream()
        .map(area -> inArea(placement, needs, barred, area))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Machines of one area are near each other. */
  private static String area(Instance machine) {
    return machine
        .bought()
        .map(purchase -> machine.backend() + "/" + machine.region() + "/" + purchase.fleetId())
        .orElse(machine.backend());
  }

  private Optional<List<HostMatch>> inArea(
      Placement placement, List<JobSpec.Requirements> needs, Set<String> barred, String area) {
    Set<String> taken = new HashSet<>(barred);
    List<HostMatch> hosts = new ArrayList<>();
    for (int rank = 0; rank < needs.size(); rank++) {
      Wishes wishes = placement.wishesOf(rank).orElse(null);
      JobSpec.Requirements wanted = needs.get(rank);
      Optional<HostMatch> match =
          suitable(placement, rank, wanted).stream()
              .filter(machine -> area(machine).equals(area) && !taken.contains(machine.id()))
              .flatMap(machine -> match(wishes, wanted, machine).stream())
              .findFirst();
      if (match.isEmpty()) {
        return Optional.empty();
      }
      taken.add(match.get().machine().id());
      hosts.add(match.get());
    }
    return Optional.of(hosts);
  }

  /**
   * When a machine is sure to have room for a member, if nobody else takes it: as soon as enough of
   * those who use it now must have ended. Empty where one of them may run for ever, because it may
   * also end at any moment.
   */
  Optional<Instant> fitsAt(
      @Nullable Wishes wishes, JobSpec.Requirements needs, Instance machine, Instant now) {
    Map<String, Instant> ends = new HashMap<>();
    for (String attemptId : machine.allocations().keySet()) {
      Optional<Instant> end = endOf(attemptId);
      if (end.isEmpty()) {
        return Optional.empty();
      }
      ends.put(attemptId, end.get().isBefore(now) ? now : end.get());
    }
    Instance left = machine;
    Instant at = now;
    List<String> inOrder = ends.keySet().stream().sorted(Comparator.comparing(ends::get)).toList();
    for (String attemptId : inOrder) {
      if (match(wishes, needs, left).isPresent()) {
        break;
      }
      at = ends.getOrDefault(attemptId, now);
      left = left.release(attemptId, at);
    }
    return Optional.of(at);
  }

  private Optional<Instant> endOf(String attemptId) {
    Attempt attempt = draft.find(Attempt.class, attemptId).orElse(null);
    Instant started = attempt == null ? null : attempt.startedAt();
    if (attempt == null || started == null) {
      return Optional.empty();
    }
    Duration most =
        draft.find(Job.class, attempt.jobId()).map(job -> job.spec().maxDuration()).orElse(null);
    return most == null ? Optional.empty() : Optional.of(started.plus(most));
  }

  /** Whether an offer that was bought is what a filter asks for. */
  static boolean matches(Wishes wishes, Purchase purchase) {
    return wishes.permit(purchase.offer()) && OfferMatch.matches(wishes.filter(), purchase.offer());
  }
}
