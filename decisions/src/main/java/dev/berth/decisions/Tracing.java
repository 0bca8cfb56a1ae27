package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobSpec;
import dev.berth.model.Placement;
import dev.berth.model.Purchase;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the real rules about every place, with one thing that a run asks for at a time, so that each
 * place is known with all that keeps the run from it.
 */
final class Tracing {
  private static final String NAME = "traced.";

  private final Draft draft;
  private final OfferView offers;

  /** All that are looked at, the cheapest first. */
  private final List<Candidate> candidates;

  /** The same offers in the same order, all of which could be had. */
  private final OfferView ideal;

  /** The number of each offer of the ideal view; equal ones are different offers. */
  private final IdentityHashMap<Candidate, Integer> numbers = new IdentityHashMap<>();

  private final Explanation.Question question;
  private final Instant now;

  Tracing(View view, KnownOffers offers, Explanation.Question question, Instant now) {
    this.draft = new Draft(view);
    this.offers = offers;
    this.candidates = offers.candidates();
    List<Candidate> available = candidates.stream().map(Candidate::available).toList();
    this.ideal = OfferView.of(available, true, Instant.MAX);
    for (int i = 0; i < available.size(); i++) {
      numbers.put(available.get(i), i);
    }
    this.question = question;
    this.now = now;
  }

  /** One node of a run, as the rules see it. */
  private record Asked(Wishes wishes, JobSpec.Requirements needs, int nodes) {}

  /**
   * Every place, once for each node that asks for something else.
   *
   * @param outcome what becomes of the run now
   */
  List<List<Traced>> trace(RunSpec asked, DryRun.Outcome outcome) {
    RunSpec run = withoutBounds(asked);
    Set<Constraint> all = Constraint.of(run);
    List<Work.Node> nodes = run.nodes();
    List<List<Traced>> traced = new ArrayList<>();
    Set<List<Object>> seen = new HashSet<>();
    for (int rank = 0; rank < nodes.size(); rank++) {
      Work.Node node = nodes.get(rank);
      if (seen.add(List.of(node.wishes(), node.spec().requirements()))) {
        traced.add(trace(run, all, rank, nodes.size(), outcome));
      }
    }
    return traced;
  }

  /** Policies are not what the run asks for, so they are looked at apart. */
  private static RunSpec withoutBounds(RunSpec run) {
    return run.withEach(node -> new Work.Node(node.spec(), node.wishes().within(List.of())));
  }

  /** What one node asks for when the run asks for nothing but some of it. */
  private Asked only(RunSpec run, Set<Constraint> all, Set<Constraint> kept, int rank, int size) {
    Set<Constraint> without = EnumSet.noneOf(Constraint.class);
    without.addAll(all);
    without.removeAll(kept);
    // The other nodes stay, so that ranks mean the same; how many there are is told apart.
    without.remove(Constraint.NODES);
    Work.Node node = Relaxation.of(run, without).nodes().get(rank);
    return new Asked(
        node.wishes(), node.spec().requirements(), kept.contains(Constraint.NODES) ? size : 1);
  }

  private List<Traced> trace(
      RunSpec run, Set<Constraint> all, int rank, int size, DryRun.Outcome outcome) {
    List<Traced> machines =
        draft.active(Instance.class).stream()
            .filter(
                machine ->
                    BackendKey.isFor(question.project(), machine.backend())
                        && (machine.purchase() == null
                            || machine.project().equals(question.project())))
            .map(Traced::of)
            .toList();
    List<Traced> offers = candidates.stream().map(Traced::of).toList();
    Set<String> ready = machines(only(run, all, Set.of(), rank, size));
    for (Constraint constraint : all) {
      Asked asked = only(run, all, Set.of(constraint), rank, size);
      Set<String> fitting = machines(asked);
      for (Traced traced : machines) {
        String id = machineOf(traced).id();
        if (ready.contains(id) && !fitting.contains(id)) {
          traced.failed().add(constraint);
        }
      }
      Set<Integer> suitable = choices(asked).keySet();
      for (int i = 0; i < offers.size(); i++) {
        if (!suitable.contains(i)) {
          offers.get(i).failed().add(constraint);
        }
      }
    }
    Asked whole = only(run, all, all, rank, size);
    Set<String> taking = machines(whole);
    for (Traced traced : machines) {
      if (isForbidden(machineOf(traced))) {
        traced.obstacles().add(Obstacle.POLICY);
      } else if (!ready.contains(machineOf(traced).id())) {
        traced.obstacles().add(Obstacle.NOT_READY);
      } else if (traced.failed().isEmpty()) {
        obstruct(traced, whole, taking, outcome);
      }
    }
    obstructOffers(offers, whole, outcome);
    List<Traced> traced = new ArrayList<>(machines);
    traced.addAll(offers);
    return traced;
  }

  /** Whether a place is at a backend that a run allows, and for an offer one of its fleets, too. */
  boolean isAtBackendOf(RunSpec run, Traced place) {
    Instance machine = place.machine();
    if (machine != null) {
      return run.nodes().stream()
          .anyMatch(node -> allows(node.wishes(), machine.backend(), machine.backendType()));
    }
    Candidate offer = offerOf(place);
    return run.nodes().stream()
        .map(Work.Node::wishes)
        .filter(wishes -> allows(wishes, offer.backend(), offer.type()))
        .anyMatch(wishes -> isAtBackendOfFleet(wishes, offer));
  }

  private boolean isAtBackendOfFleet(Wishes wishes, Candidate offer) {
    if (wishes.machines().fleets().isEmpty()) {
      return true;
    }
    List<Fleet> fleets = fleets(new Asked(wishes, JobSpec.Requirements.NONE, 1));
    return fleets.isEmpty()
        || fleets.stream()
            .anyMatch(fleet -> allows(fleet.spec().wishes(), offer.backend(), offer.type()));
  }

  private static boolean allows(Wishes wishes, String backend, String type) {
    return new OfferRequirement.Party(wishes.project(), wishes.backends()).allows(backend, type);
  }

  private static Instance machineOf(Traced traced) {
    return Objects.requireNonNull(traced.machine(), "a machine");
  }

  private static Candidate offerOf(Traced traced) {
    return Objects.requireNonNull(traced.offer(), "an offer");
  }

  private Placement placement(Asked asked) {
    return Placement.imagined(NAME, question.project(), asked.nodes(), asked.wishes(), now);
  }

  private Set<String> machines(Asked asked) {
    Set<String> ids = new HashSet<>();
    new HostSelection(draft)
        .suitable(placement(asked), 0, asked.needs())
        .forEach(machine -> ids.add(machine.id()));
    return ids;
  }

  /** The keys of what could be tried if all of it could be had, by the number of the offer. */
  private Map<Integer, Set<String>> choices(Asked asked) {
    if (asked.wishes().machines().buyNothing()) {
      return Map.of();
    }
    Map<Integer, Set<String>> found = new HashMap<>();
    if (asked.wishes().machines().fleets().isEmpty()) {
      collect(null, asked, found);
    } else {
      fleets(asked).forEach(fleet -> collect(fleet, asked, found));
    }
    return found;
  }

  private void collect(@Nullable Fleet fleet, Asked asked, Map<Integer, Set<String>> found) {
    new OfferSelection(ideal, fleet, now)
        .choices(placement(asked), 0)
        .forEach(
            choice ->
                found
                    .computeIfAbsent(
                        Objects.requireNonNull(numbers.get(choice.candidate())),
                        _ -> new HashSet<>())
                    .add(choice.key()));
  }

  /** The fleets of users that may take it. */
  private List<Fleet> fleets(Asked asked) {
    List<String> named = asked.wishes().machines().fleets();
    return draft.active(Fleet.class).stream()
        .filter(fleet -> !fleet.temporary() && fleet.status() == Fleet.Status.ACTIVE)
        .filter(fleet -> fleet.project().equals(question.project()))
        .filter(fleet -> named.isEmpty() || named.contains(fleet.name()))
        .filter(fleet -> asked.nodes() == 1 || fleet.spec().cluster())
        .toList();
  }

  /** A machine that has all that is asked for. */
  private void obstruct(Traced traced, Asked whole, Set<String> taking, DryRun.Outcome outcome) {
    Instance machine =
        DuplicateMachines.among(draft.active(Instance.class)).asUsed(machineOf(traced));
    if (!taking.contains(machine.id())) {
      traced.obstacles().add(Obstacle.TOGETHER);
    } else if (HostSelection.match(whole.wishes(), whole.needs(), machine).isEmpty()) {
      traced.obstacles().add(Obstacle.IN_USE);
    } else if (outcome != DryRun.Outcome.PLACED) {
      traced.obstacles().add(whole.nodes() > 1 ? Obstacle.TOO_FEW : Obstacle.RESERVED);
    }
  }

  private void obstructOffers(List<Traced> offers, Asked whole, DryRun.Outcome outcome) {
    Map<Integer, Set<String>> possible = choices(whole);
    Map<Integer, Set<String>> full = new HashMap<>();
    fleets(whole).stream()
        .filter(fleet -> !FleetLife.hasRoom(draft, fleet, whole.nodes()))
        .forEach(fleet -> collect(fleet, whole, full));
    for (int i = 0; i < offers.size(); i++) {
      Traced traced = offers.get(i);
      switch (offerOf(traced).availability()) {
        case NOT_AVAILABLE -> traced.obstacles().add(Obstacle.SOLD_OUT);
        case NO_QUOTA -> traced.obstacles().add(Obstacle.NO_QUOTA);
        case NO_BALANCE -> traced.obstacles().add(Obstacle.NO_BALANCE);
        case BUSY -> traced.obstacles().add(Obstacle.IN_USE);
        case UNKNOWN, AVAILABLE, IDLE -> {}
      }
      boolean forbidden = isForbidden(offerOf(traced));
      if (forbidden) {
        traced.obstacles().add(Obstacle.POLICY);
      }
      if (forbidden || !traced.failed().isEmpty()) {
        continue;
      }
      Set<String> keys = possible.getOrDefault(i, Set.of());
      if (keys.isEmpty()) {
        traced.obstacles().add(Obstacle.TOGETHER);
      } else if (keys.stream().allMatch(key -> isTried(key, whole))) {
        traced.obstacles().add(Obstacle.TRIED);
      } else if (keys.stream().allMatch(key -> isTried(key, whole) || isBarred(key, whole))) {
        traced.obstacles().add(Obstacle.FAILED_LATELY);
      } else if (traced.obstacles().isEmpty() && outcome != DryRun.Outcome.PLACED) {
        traced
            .obstacles()
            .add(
                full.containsKey(i)
                    ? Obstacle.FLEET_FULL
                    : outcome == DryRun.Outcome.WAITS ? Obstacle.OWN_FIRST : Obstacle.TOO_FEW);
      }
    }
  }

  private boolean isForbidden(Candidate offer) {
    return question.bounds().stream()
        .anyMatch(
            bound ->
                !bound.permitsBackend(BackendKey.name(offer.backend()), offer.type())
                    || !bound.permitsBuying(offer.item()));
  }

  private boolean isForbidden(Instance machine) {
    Purchase purchase = machine.purchase();
    return question.bounds().stream()
        .anyMatch(
            bound ->
                !bound.permitsBackend(BackendKey.name(machine.backend()), machine.backendType())
                    || (purchase != null && !bound.permits(purchase.offer())));
  }

  private boolean isTried(String key, Asked whole) {
    return question.tried().contains(key)
        || (whole.nodes() > 1
            && question.tried().stream().anyMatch(area -> PlacementGroupLife.isNear(area, key)));
  }

  private boolean isBarred(String key, Asked whole) {
    return offers.isBarred(key, now)
        || (whole.nodes() > 1
            && offers.failures().keySet().stream()
                .filter(area -> PlacementGroupLife.isNear(area, key))
                .anyMatch(area -> offers.isBarred(area, now)));
  }
}
