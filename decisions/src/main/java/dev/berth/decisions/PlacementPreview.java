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
import java.util.List;

/**
 * Where the first node of a run could be placed by the rules that place it, whoever is in front.
 *
 * @param machines those that are there and could take it, the cheapest first
 * @param offers those that could be bought for it, the cheapest first
 */
public record PlacementPreview(List<Machine> machines, List<Candidate> offers) {
  private static final String NAME = "planned";

  public PlacementPreview {
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
  public static PlacementPreview of(
      View view, OfferView offers, String project, RunSpec run, Instant now) {
    Draft draft = new Draft(view);
    Wishes wishes = run.first().wishes();
    JobSpec.Requirements needs = run.first().spec().requirements();
    Placement placement = Placement.imagined(NAME, project, run.nodes().size(), wishes, now);
    List<Machine> machines =
        new HostSelection(draft)
            .suitable(placement, 0, needs).stream()
                .map(instance -> machine(wishes, needs, instance))
                .toList();
    return new PlacementPreview(
        machines, candidates(offers, requirements(draft, project, run.nodes().size(), wishes)));
  }

  private static Machine machine(Wishes wishes, JobSpec.Requirements needs, Instance instance) {
    return HostSelection.match(wishes, needs, instance)
        .map(match -> new Machine(instance, true, match.price()))
        .orElseGet(() -> new Machine(instance, false, instance.price()));
  }

  /** What is asked of offers for this, to be looked up before. Pure. */
  public static List<OfferRequirement> requirements(View view, String project, RunSpec run) {
    return requirements(new Draft(view), project, run.nodes().size(), run.first().wishes());
  }

  private static List<OfferRequirement> requirements(
      Draft draft, String project, int nodes, Wishes wishes) {
    if (wishes.machines().buyNothing()) {
      return List.of();
    }
    OfferRequirement requirement = OfferRequirement.of(wishes).amongSeveral(nodes > 1);
    List<String> named = wishes.machines().fleets();
    if (named.isEmpty()) {
      return List.of(requirement);
    }
    return draft.active(Fleet.class).stream()
        .filter(fleet -> fleet.project().equals(project))
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE && named.contains(fleet.name()))
        .filter(fleet -> nodes == 1 || fleet.spec().cluster())
        .map(requirement::in)
        .toList();
  }

  private static List<Candidate> candidates(OfferView view, List<OfferRequirement> requirements) {
    return requirements.size() == 1
        ? view.offers(requirements.getFirst()).candidates()
        : requirements.stream()
            .flatMap(requirement -> view.offers(requirement).candidates().stream())
            .distinct()
            .sorted(Candidate.CHEAPEST_FIRST)
            .toList();
  }
}
