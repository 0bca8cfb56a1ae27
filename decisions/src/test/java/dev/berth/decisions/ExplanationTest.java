package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What keeps a run from its place, and what would help. */
final class ExplanationTest {
  private static Candidate offer(
      String type, double price, int cpus, long memoryMib, Availability availability) {
    return new Candidate(
        "rented",
        "cloud",
        new CatalogItem(
            "cloud",
            type,
            "eu-1",
            null,
            price,
            cpus,
            CpuArchitecture.X86,
            memoryMib,
            null,
            null,
            false,
            List.of(),
            CatalogItem.NO_PROVIDER_DATA,
            List.of()),
        availability,
        List.of(),
        Offers.CONTAINERS);
  }

  private static Candidate at(String backend, Candidate offer) {
    return new Candidate(
        backend,
        "type-of-" + backend,
        offer.item(),
        offer.availability(),
        offer.zones(),
        offer.abilities());
  }

  private static OfferView market(Candidate... offers) {
    return OfferView.of(List.of(offers), true, Instant.MAX);
  }

  private static Explanation explain(Scenario scenario, TaskBuilder task) {
    return explain(scenario, task, null);
  }

  private static Explanation explain(
      Scenario scenario, TaskBuilder task, @Nullable Placement waiting) {
    return Explanation.of(
        scenario.memory,
        scenario.market,
        new Explanation.Question(Scenario.PROJECT, task.spec(), waiting),
        scenario.now());
  }

  private static Explanation.Rule rule(Explanation explanation, String name) {
    return explanation.rules().stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + explanation));
  }

  @Test
  void removingWhatIsNamedMakesEveryUnplaceableTaskPlaceable() {
    int explained = 0;
    Map<Constraint, Integer> named = new EnumMap<>(Constraint.class);
    for (long seed = 1; explained < 200; seed++) {
      assertThat(seed).as("tasks that nothing can take are common enough").isLessThan(5_000);
      RandomWorld world = new RandomWorld(seed);
      OfferView market = world.market();
      List<Instance> machines = world.machines();
      RunSpec task = world.run();
      if (isPlaced(market, machines, task)) {
        continue;
      }
      Scenario scenario = scenario(market, machines);
      Explanation explanation =
          Explanation.of(
              scenario.memory,
              market,
              new Explanation.Question(Scenario.PROJECT, task, null),
              scenario.now());
      assertThat(explanation.verdict())
          .as("seed %d", seed)
          .isEqualTo(Explanation.Verdict.UNPLACEABLE);
      assertThat(explanation.remedies()).as("seed %d: %s", seed, explanation).isNotEmpty();
      for (Explanation.Remedy remedy : explanation.remedies()) {
        assertThat(isPlaced(market, machines, Relaxation.of(task, remedy.without())))
            .as("seed %d without %s: %s", seed, remedy.without(), explanation)
            .isTrue();
        remedy.without().forEach(constraint -> named.merge(constraint, 1, Integer::sum));
      }
      checkThatFewerDoNotHelp(seed, market, machines, task, explanation);
      explained++;
    }
    // A world where some things never matter would not say much.
    assertThat(named.keySet()).containsExactlyInAnyOrder(Constraint.values());
  }

  /** Of a set of several, no single one would have been enough, whatever it is. */
  private static void checkThatFewerDoNotHelp(
      long seed, OfferView market, List<Instance> machines, RunSpec task, Explanation explanation) {
    if (explanation.remedies().getFirst().without().size() > 1) {
      for (Constraint single : Constraint.of(task)) {
        assertThat(isPlaced(market, machines, Relaxation.of(task, Set.of(single))))
            .as("seed %d: %s alone helps, but %s is told", seed, single, explanation.remedies())
            .isFalse();
      }
    }
  }

  @Test
  void aTaskThatWouldBePlacedIsSaidToBe() {
    int placed = 0;
    for (long seed = 1; placed < 100; seed++) {
      RandomWorld world = new RandomWorld(seed);
      OfferView market = world.market();
      List<Instance> machines = world.machines();
      RunSpec task = world.run();
      if (isPlaced(market, machines, task)) {
        Explanation explanation =
            Explanation.of(
                scenario(market, machines).memory,
                market,
                new Explanation.Question(Scenario.PROJECT, task, null),
                Scenario.BEGIN);
        assertThat(explanation.verdict())
            .as("seed %d", seed)
            .isEqualTo(Explanation.Verdict.PLACEABLE);
        assertThat(explanation.place()).isNotNull();
        assertThat(explanation.remedies()).isEmpty();
        placed++;
      }
    }
  }

  private static Scenario scenario(OfferView market, List<Instance> machines) {
    Scenario scenario = Scenario.with(machines.toArray(Instance[]::new));
    scenario.market = market;
    return scenario;
  }

  /** As the real decisions have it. */
  private static boolean isPlaced(OfferView market, List<Instance> machines, RunSpec task) {
    Scenario scenario = scenario(market, machines);
    scenario.tell(new Message.Submit("r1", Scenario.PROJECT, "ann", "x", Map.of(), task));
    return scenario.placement("r1").phase() == Placement.State.CREATING;
  }

  @Test
  void rulesAreCountedWithTheNearestExample() {
    Scenario scenario = Scenario.with();
    scenario.market =
        market(
            offer("small", 1, 4, 8_192, Availability.AVAILABLE),
            offer("middle", 2, 8, 32_768, Availability.AVAILABLE),
            offer("large", 3, 2, 65_536, Availability.AVAILABLE));
    Explanation explanation = explain(scenario, TaskBuilder.task().memory(65_536).cpus(8));
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.UNPLACEABLE);
    assertThat(explanation.offers()).isEqualTo(3);
    Explanation.Rule memory = rule(explanation, "resources.memory");
    assertThat(memory.places()).isEqualTo(2);
    assertThat(memory.alone()).isEqualTo(1);
    assertThat(memory.sentence()).isEqualTo("64GB..");
    assertThat(memory.nearest()).isEqualTo("rented/eu-1/middle: 32GB");
    assertThat(rule(explanation, "resources.cpu.count").places()).isEqualTo(2);
    assertThat(explanation.remedies())
        .extracting(Explanation.Remedy::without)
        .containsExactlyInAnyOrder(Set.of(Constraint.MEMORY), Set.of(Constraint.CPUS));
  }

  @Test
  void onlyPlacesOfBackendsThatAreAskedForAreCountedAndBlamed() {
    Scenario scenario =
        Scenario.with(
            Machines.machine("m1", new ResourceVector(4, 4, 8_192, 0, Set.of()), List.of()));
    scenario.market =
        market(
            at("asked", offer("small", 1, 4, 8_192, Availability.AVAILABLE)),
            at("other", offer("large", 2, 64, 262_144, Availability.AVAILABLE)),
            at("other", offer("small", 1, 2, 8_192, Availability.NOT_AVAILABLE)));
    for (String word : List.of("asked", "type-of-asked")) {
      TaskBuilder task = TaskBuilder.task().cpus(32);
      task.backends = List.of(word);
      Explanation explanation = explain(scenario, task);
      assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.UNPLACEABLE);
      assertThat(explanation.machines()).isZero();
      assertThat(explanation.offers()).isEqualTo(1);
      assertThat(explanation.rules())
          .extracting(Explanation.Rule::name, Explanation.Rule::places, Explanation.Rule::nearest)
          .containsExactly(tuple("resources.cpu.count", 1, "asked/eu-1/small: 4 cpus"));
      // What else would do is told as such.
      assertThat(explanation.remedies())
          .extracting(Explanation.Remedy::without)
          .containsExactlyInAnyOrder(Set.of(Constraint.CPUS), Set.of(Constraint.BACKENDS));
    }
  }

  @Test
  void offersOutsideOfTheBackendsOfAFleetAreNotCounted() {
    Scenario scenario = Scenario.with();
    scenario.market =
        market(
            at("asked", offer("small", 1, 4, 8_192, Availability.AVAILABLE)),
            at("other", offer("large", 2, 64, 262_144, Availability.AVAILABLE)));
    Wishes wishes = new Wishes(List.of("asked"), OfferFilter.ANY, null);
    scenario.applyFleet(
        "pool", new Fleet.Spec(wishes, new FleetNodes(0, 0, 1), false, 1, null, Map.of()));
    Explanation explanation = explain(scenario, TaskBuilder.task().cpus(32).inFleet("pool"));
    assertThat(explanation.offers()).isEqualTo(1);
    assertThat(explanation.rules())
        .allSatisfy(rule -> assertThat(rule.nearest()).startsWith("asked/"));
    assertThat(rule(explanation, "resources.cpu.count").places()).isEqualTo(1);
  }

  @Test
  void whatIsSoldOutIsNoRemedy() {
    Scenario scenario = Scenario.with();
    scenario.market =
        market(
            offer("cheap", 1, 4, 8_192, Availability.NOT_AVAILABLE),
            offer("dear", 9, 8, 32_768, Availability.NO_QUOTA));
    Explanation explanation = explain(scenario, TaskBuilder.task().cpus(8));
    assertThat(rule(explanation, "sold_out").places()).isEqualTo(1);
    assertThat(rule(explanation, "no_quota").alone()).isEqualTo(1);
    assertThat(explanation.remedies()).isEmpty();
  }

  @Test
  void machinesInUseAreWaitedForAndSoAreThoseThatSomebodyInFrontNeeds() {
    Scenario scenario =
        Scenario.with(
            Machines.machine("m1", new ResourceVector(4, 4, 8_192, 0, Set.of()), List.of()));
    scenario.submit("first", TaskBuilder.task().cpus(3));
    TaskBuilder task = TaskBuilder.task().cpus(4);
    String run = scenario.submit("second", task);
    Explanation explanation = explain(scenario, task, scenario.placement(run));
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.WAITS);
    assertThat(rule(explanation, "in_use").alone()).isEqualTo(1);
    Explanation behind = explain(scenario, TaskBuilder.task().cpus(1));
    assertThat(behind.verdict()).isEqualTo(Explanation.Verdict.WAITS);
    assertThat(rule(behind, "reserved").nearest()).isEqualTo("here/m1");
    assertThat(scenario.memory.active(Run.class)).as("nothing happened").hasSize(2);
  }

  @Test
  void offersThatWereTriedOrFailedLatelyAreTold() {
    Scenario scenario = Scenario.with();
    Candidate one = offer("one", 1, 4, 8_192, Availability.AVAILABLE);
    Candidate other = offer("other", 2, 4, 8_192, Availability.AVAILABLE);
    scenario.market =
        Offers.failing(
            market(one, other),
            Map.of(Place.of(other.item()).offerKey("rented"), scenario.now().plusSeconds(60)));
    Placement tried = scenario.submissionOf("r9").without(Place.of(one.item()).offerKey("rented"));
    Explanation explanation = explain(scenario, TaskBuilder.task(), tried);
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.UNPLACEABLE);
    assertThat(rule(explanation, "tried").nearest()).isEqualTo("rented/eu-1/one");
    assertThat(rule(explanation, "failed_lately").nearest()).isEqualTo("rented/eu-1/other");
  }

  @Test
  void severalNodesNeedOffersNearEachOther() {
    Scenario scenario = Scenario.with();
    scenario.market = market(offer("alone", 1, 4, 8_192, Availability.AVAILABLE));
    TaskBuilder task = TaskBuilder.task();
    task.nodes = 2;
    Explanation explanation = explain(scenario, task);
    assertThat(rule(explanation, "nodes").sentence()).isEqualTo("2 nodes");
    assertThat(explanation.remedies())
        .extracting(Explanation.Remedy::without)
        .containsExactly(Set.of(Constraint.NODES));
  }

  @Test
  void whereNothingIsThereNothingHelps() {
    Explanation explanation = explain(Scenario.with(), TaskBuilder.task());
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.NOTHING_THERE);
    assertThat(explanation.rules()).isEmpty();
    assertThat(explanation.remedies()).isEmpty();
  }

  @Test
  void fieldsOfAcceleratorsAreOneWhereAllOfThemGo() {
    TaskBuilder builder = TaskBuilder.task().gpus(2, "H100");
    RunSpec task = builder.spec();
    List<List<String>> fields = new ArrayList<>();
    for (Set<Constraint> without :
        List.of(
            Set.of(Constraint.GPU_NAME),
            Set.of(Constraint.GPU_NAME, Constraint.GPU_COUNT, Constraint.MAX_PRICE))) {
      fields.add(new Explanation.Remedy(without, "").fields(task));
    }
    assertThat(fields)
        .containsExactly(List.of("resources.gpu.name"), List.of("max_price", "resources.gpu"));
  }
}
