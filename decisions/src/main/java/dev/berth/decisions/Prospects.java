package dev.berth.decisions;

import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobSpec;
import dev.berth.model.Placement;
import dev.berth.model.Wishes;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where the first node of a run could be placed by the rules that place it, whoever is in front.
 *
 * @param machines those that are there and could take it, the cheapest first
 * @param offers those that could be bought for it, the cheapest first
 */
public record Prospects(List<Machine> machines, List<Candidate> offers) {
  private static final String NAME = "planned";

  public Prospects {
    machines = List.copyOf(machines);
    offers = List.copyOf(offers);
  }

  /** Whether the cheapest place of all, which is taken first, runs jobs in images. */
  public boolean inContainers() {
    Machine cheapest =
        machines.stream().min(Comparator.comparingDouble(Machine::price)).orElse(null);
    if (cheapest == null || isCheaper(offers, cheapest.price())) {
      return !offers.isEmpty()
          && offers.getFirst().abilities().execution() != Candidate.Execution.PROCESSES;
    }
    Instance machine = cheapest.instance();
    return machine.engine() != null || (machine.bought().isPresent() && !machine.isEquippedByUs());
  }

  private static boolean isCheaper(List<Candidate> offers, double price) {
    return !offers.isEmpty() && offers.getFirst().item().price() < price;
  }

  /**
   * A machine.
   *
   * @param free whether it has room now
   * @param price what the part would cost that the node gets
   */
  public record Machine(Instance instance, boolean free, double price) {}

  /**
   * Looks at machines and offers. Pure.
   *
   * @param view needs the instances and fleets only
   */
  public static Prospects of(View view, Market market, String project, RunSpec run, Instant now) {
    Draft draft = new Draft(view);
    Wishes wishes = run.first().wishes();
    JobSpec.Requirements needs = run.first().spec().requirements();
    Placement placement = Placement.imagined(NAME, project, run.nodes().size(), wishes, now);
    List<Machine> machines =
        new Seats(draft)
            .suitable(placement, 0, needs).stream()
                .map(instance -> machine(wishes, needs, instance))
                .toList();
    return new Prospects(machines, offers(draft, market, placement, wishes));
  }

  private static Machine machine(Wishes wishes, JobSpec.Requirements needs, Instance instance) {
    return Seats.seat(wishes, needs, instance)
        .map(seat -> new Machine(instance, true, seat.price()))
        .orElseGet(() -> new Machine(instance, false, instance.price()));
  }

  private static List<Candidate> offers(
      Draft draft, Market market, Placement placement, Wishes wishes) {
    if (wishes.machines().buyNothing()) {
      return List.of();
    }
    List<Candidate> suitable = Shopping.suitable(market, wishes, placement.members().size() > 1);
    List<String> named = wishes.machines().fleets();
    if (named.isEmpty()) {
      return suitable;
    }
    Set<Candidate> ofFleets = new LinkedHashSet<>();
    draft.active(Fleet.class).stream()
        .filter(fleet -> fleet.project().equals(placement.project()))
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE && named.contains(fleet.name()))
        .filter(fleet -> placement.members().size() == 1 || fleet.spec().cluster())
        .forEach(fleet -> ofFleets.addAll(FleetOffers.of(market, fleet.spec())));
    return suitable.stream().filter(ofFleets::contains).toList();
  }
}
