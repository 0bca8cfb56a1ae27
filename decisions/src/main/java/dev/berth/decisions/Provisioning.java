package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Purchase;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.offers.CatalogItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Buys places for a replica: jobs that are bought directly, or machines in a fleet. For one replica
 * only.
 */
final class Provisioning {
  private final Draft draft;
  private final OfferView offers;
  private final Instant now;
  private final Set<OfferRequirement> asked = new LinkedHashSet<>();

  /** Whether nothing cheaper may come of those who were asked. */
  private boolean settled = true;

  /** Whether all that could be had is known. */
  private boolean known = true;

  Provisioning(Draft draft, OfferView offers, Instant now) {
    this.draft = draft;
    this.offers = offers;
    this.now = now;
  }

  /** What came of it. */
  enum Result {
    BOUGHT,
    /** Its fleets have no room for more. */
    WAIT,
    /** Not all offers are known that it could have. */
    UNKNOWN,
    NOTHING
  }

  /**
   * One choice for each member, all in one area, and the fleet that machines go to.
   *
   * @param fleet null for a temporary one
   */
  private record Basket(List<OfferSelection.Choice> choices, @Nullable Fleet fleet) {
    double price() {
      return choices.stream().mapToDouble(choice -> choice.item().price()).sum();
    }
  }

  Result buy(Placement placement, List<Attempt> members, List<Job> jobs) {
    if (placement.wishes().isEmpty()
        || placement.wishes().stream().anyMatch(wishes -> wishes.machines().buyNothing())) {
      return hasFleetMachines(placement) ? Result.WAIT : Result.NOTHING;
    }
    List<Fleet> fleets = fleets(placement);
    List<Fleet> withRoom =
        fleets.stream().filter(fleet -> FleetLife.hasRoom(draft, fleet, members.size())).toList();
    boolean named =
        placement.wishes().stream().anyMatch(wishes -> !wishes.machines().fleets().isEmpty());
    for (Fleet fleet : fleets) {
      ask(placement, fleet);
    }
    if (!named) {
      ask(placement, null);
    }
    if (!settled) {
      return Result.UNKNOWN;
    }
    List<Basket> baskets = new ArrayList<>();
    withRoom.forEach(fleet -> basket(placement, fleet).ifPresent(baskets::add));
    boolean full =
        fleets.stream()
            .filter(fleet -> !withRoom.contains(fleet) && canHold(fleet, members.size()))
            .anyMatch(fleet -> basket(placement, fleet).isPresent());
    if (baskets.isEmpty() && !full && !named) {
      basket(placement, null).ifPresent(baskets::add);
    }
    Optional<Basket> best = baskets.stream().min(Comparator.comparingDouble(Basket::price));
    if (best.isPresent()) {
      buy(placement, members, jobs, best.get());
      return Result.BOUGHT;
    }
    if (full) {
      return Result.WAIT;
    }
    asked.forEach(requirement -> draft.lookUp(requirement, placement.since()));
    return known ? Result.NOTHING : Result.UNKNOWN;
  }

  /** Notes what is asked for, and whether all of it is known. */
  private void ask(Placement placement, @Nullable Fleet fleet) {
    OfferSelection selection = new OfferSelection(offers, fleet, now);
    for (int rank = 0; rank < placement.members().size(); rank++) {
      OfferRequirement requirement = selection.requirement(placement, rank).orElse(null);
      if (requirement != null && asked.add(requirement)) {
        OfferAnswer answer = offers.offers(requirement);
        settled &= answer.settled();
        known &= answer.isAll(placement.since());
        draft.lookUp(requirement, Instant.MIN);
      }
    }
  }

  /** Whether so many machines are ever allowed in a fleet. */
  private static boolean canHold(Fleet fleet, int machines) {
    Integer max = fleet.spec().nodes().max();
    return max == null || machines <= max;
  }

  /** Whether there is a machine that it may wait for. */
  private boolean hasFleetMachines(Placement placement) {
    Wishes wishes = placement.wishesOf(0).orElse(null);
    return wishes != null
        && draft.active(Instance.class).stream()
            .filter(machine -> machine.project().equals(placement.project()))
            .filter(machine -> machine.status() != Instance.Status.TERMINATING)
            .filter(machine -> HostSelection.isNamed(wishes, machine))
            .flatMap(machine -> machine.bought().stream())
            .anyMatch(
                purchase ->
                    isInNamedFleet(wishes, purchase) && HostSelection.matches(wishes, purchase));
  }

  private boolean isInNamedFleet(Wishes wishes, Purchase purchase) {
    List<String> named = wishes.machines().fleets();
    return named.isEmpty()
        || draft
            .find(Fleet.class, purchase.fleetId())
            .filter(fleet -> named.contains(fleet.name()))
            .isPresent();
  }

  /** The fleets of users that may take it. */
  private List<Fleet> fleets(Placement placement) {
    List<String> named =
        placement.wishesOf(0).map(wishes -> wishes.machines().fleets()).orElse(List.of());
    return draft.active(Fleet.class).stream()
        .filter(fleet -> !fleet.temporary() && fleet.status() == Fleet.Status.ACTIVE)
        .filter(fleet -> fleet.project().equals(placement.project()))
        .filter(fleet -> named.isEmpty() || named.contains(fleet.name()))
        .filter(fleet -> placement.members().size() == 1 || fleet.spec().cluster())
        .toList();
  }

  /** The cheapest that all members can have together. */
  private Optional<Basket> basket(Placement placement, @Nullable Fleet fleet) {
    int size = placement.members().size();
    OfferSelection selection = new OfferSelection(offers, fleet, now);
    Optional<String> near = fleet == null ? Optional.empty() : OfferSelection.areaOf(draft, fleet);
    if (size == 1) {
      return selection
          .choices(placement, 0)
          .filter(choice -> near.isEmpty() || PlacementGroupLife.isNear(near.get(), choice.area()))
          .findFirst()
          .map(choice -> new Basket(List.of(choice), fleet));
    }
    Set<String> areas = new LinkedHashSet<>();
    selection
        .choices(placement, 0)
        .map(OfferSelection.Choice::area)
        .filter(area -> near.isEmpty() || PlacementGroupLife.isNear(near.get(), area))
        .forEach(areas::add);
    Basket best = null;
    for (String area : areas) {
      Basket basket = inArea(placement, selection, area, size, fleet);
      if (basket != null && (best == null || basket.price() < best.price())) {
        best = basket;
      }
    }
    return Optional.ofNullable(best);
  }

  private static @Nullable Basket inArea(
      Placement placement, OfferSelection selection, String area, int size, @Nullable Fleet fleet) {
    List<OfferSelection.Choice> choices = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Optional<OfferSelection.Choice> choice =
          selection.choices(placement, rank).filter(one -> one.area().equals(area)).findFirst();
      if (choice.isEmpty()) {
        return null;
      }
      choices.add(choice.get());
    }
    return new Basket(choices, fleet);
  }

  private void buy(Placement placement, List<Attempt> members, List<Job> jobs, Basket basket) {
    Placement creating = placement.in(Placement.State.CREATING);
    draft.put(creating);
    for (int rank = 0; rank < members.size(); rank++) {
      OfferSelection.Choice choice = basket.choices().get(rank);
      if (choice.candidate().abilities().machines()) {
        buyMachine(placement, members.get(rank), jobs.get(rank), choice, basket.fleet());
      } else {
        buyJob(placement, members.get(rank), jobs.get(rank), choice);
      }
    }
    RunLife.follow(draft, placement.runId(), now);
  }

  private void buyJob(Placement placement, Attempt attempt, Job job, OfferSelection.Choice choice) {
    CatalogItem item = choice.item();
    Attempt placed = placed(attempt.placedAt(choice.candidate().backend(), item.price()), job);
    tell(placed, choice);
    ResourceVector share =
        new ResourceVector(
            1,
            item.cpus(),
            item.memoryMib(),
            item.diskMib() == null ? 0 : item.diskMib(),
            Set.of());
    Wishes wishes = placement.wishesOf(job.rank()).orElse(null);
    Starts.buy(draft, placed, job, choice.place(), item, wishes, share, now);
  }

  private void buyMachine(
      Placement placement,
      Attempt attempt,
      Job job,
      OfferSelection.Choice choice,
      @Nullable Fleet chosen) {
    Wishes wishes = placement.wishesOf(job.rank()).orElseThrow();
    Run run = draft.find(Run.class, placement.runId()).orElseThrow();
    Fleet fleet =
        chosen == null
            ? FleetLife.temporary(draft, run, temporarySpec(placement, wishes), now)
            : draft.find(Fleet.class, chosen.id()).orElse(chosen);
    String id = InstanceLife.idFor(attempt);
    FleetProvisioning.order(draft, fleet, choice, id, now);
    Instance machine = draft.find(Instance.class, id).orElseThrow().keptFor(idle(fleet, wishes));
    int of = machine.bought().orElseThrow().blocks();
    int blocks =
        machine.bought().flatMap(purchase -> Blocks.needed(wishes.filter(), purchase)).orElse(of);
    ResourceVector share = Blocks.share(machine, blocks, of).orElseThrow();
    draft.put(machine.allocate(attempt.id(), share));
    tell(placed(attempt.placedOn(machine, machine.price() * blocks / of), job), choice);
  }

  private static @Nullable Duration idle(Fleet fleet, Wishes wishes) {
    Duration own = wishes.machines().idleDuration();
    Duration kept = fleet.spec().idleDuration();
    if (fleet.temporary() || kept == null) {
      return own;
    }
    return own == null || kept.compareTo(own) < 0 ? kept : own;
  }

  private static Fleet.Spec temporarySpec(Placement placement, Wishes wishes) {
    return new Fleet.Spec(
        wishes,
        new FleetNodes(0, 0, null),
        placement.members().size() > 1,
        1,
        wishes.machines().idleDuration(),
        wishes.machines().tags());
  }

  private Attempt placed(Attempt attempt, Job job) {
    draft.put(attempt);
    draft.put(job.in(JobStatus.PROVISIONING, null));
    draft
        .find(Run.class, attempt.runId())
        .ifPresent(
            run -> draft.put(run.placedOn(String.valueOf(attempt.backend()), attempt.price())));
    return attempt;
  }

  private void tell(Attempt placed, OfferSelection.Choice choice) {
    draft.event(
        "attempt.placed",
        placed,
        Event.SERVER,
        Map.of(
            "instance",
            choice.shown(),
            "backend",
            BackendKey.name(choice.candidate().backend()),
            "price",
            choice.item().price()));
  }
}
