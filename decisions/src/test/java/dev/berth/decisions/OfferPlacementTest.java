package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobStatus;
import dev.berth.model.Place;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunStatus;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is placed on which offer, and what follows when it cannot be had. */
final class OfferPlacementTest {
  private static final Instance SMALL =
      Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of());

  private static CatalogItem item(String type, double price, boolean spot) {
    return new CatalogItem(
        "cloud",
        type,
        "eu-1",
        null,
        price,
        16,
        CpuArchitecture.X86,
        65_536,
        null,
        204_800L,
        spot,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }

  private static Candidate offer(
      String type, double price, Availability availability, String... zones) {
    return new Candidate(
        "rented",
        "cloud",
        item(type, price, false),
        availability,
        List.of(zones),
        Offers.CONTAINERS);
  }

  private static OfferView market(Candidate... candidates) {
    return OfferView.of(List.of(candidates), true, Instant.MAX);
  }

  private static Scenario with(OfferView market, Instance... machines) {
    Scenario scenario = Scenario.with(machines);
    scenario.market = market;
    return scenario;
  }

  private static Place place(Scenario scenario, String run) {
    JobRequest request =
        scenario.actions(run).stream()
            .filter(action -> action.state() == Action.State.IN_FLIGHT)
            .flatMap(action -> action.job().stream())
            .findFirst()
            .orElseThrow();
    return Objects.requireNonNull(request.place());
  }

  private static void startFails(Scenario scenario, String run, ActionOutcome outcome) {
    Action start =
        scenario.actions(run).stream()
            .filter(action -> action.state() == Action.State.IN_FLIGHT)
            .findFirst()
            .orElseThrow();
    scenario.tell(new Message.ActionReported(start.id(), outcome));
  }

  private static ActionOutcome soldOut() {
    return ActionOutcome.Failed.soldOut("sold out");
  }

  @Test
  void theCheapestThatCanBeHadIsBought() {
    Scenario scenario =
        with(
            market(
                offer("dear", 3, Availability.AVAILABLE),
                offer("gone", 1, Availability.NOT_AVAILABLE),
                offer("fair", 2, Availability.UNKNOWN)));
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    assertThat(place(scenario, run).instanceType()).isEqualTo("fair");
    assertThat(scenario.attempt(run).backend()).isEqualTo("rented");
    assertThat(scenario.attempt(run).instanceId()).isNull();
    assertThat(scenario.attempt(run).price()).isEqualTo(2);
    assertThat(scenario.run(run).backend()).isEqualTo("rented");
    scenario.startWorked(run);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    scenario.worked(run, Action.Type.RELEASE_JOB);
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void nothingIsBoughtWhileAMachineThatIsThereCouldTakeIt() {
    Scenario scenario = with(market(offer("fair", 2, Availability.AVAILABLE)), SMALL);
    String first = scenario.submit("first", TaskBuilder.task().cpus(4));
    String second = scenario.submit("second", TaskBuilder.task().cpus(4));
    assertThat(scenario.attempt(first).instanceId()).isEqualTo("m1");
    assertThat(scenario.attempt(second).status()).isEqualTo(JobStatus.SUBMITTED);
  }

  @Test
  void whoNeedsAnOfferPassesWhoWaitsForAMachine() {
    Scenario scenario = with(market(offer("fair", 2, Availability.AVAILABLE)), SMALL);
    scenario.submit("first", TaskBuilder.task().cpus(4));
    scenario.submit("second", TaskBuilder.task().cpus(4));
    String third = scenario.submit("third", TaskBuilder.task().cpus(8));
    assertThat(scenario.attempt(third).backend()).isEqualTo("rented");
  }

  @Test
  void whatIsSoldOutIsFollowedByTheNextZoneAndTheNextOffer() {
    Scenario scenario =
        with(
            market(
                offer("fair", 2, Availability.AVAILABLE, "eu-1a", "eu-1b"),
                offer("dear", 3, Availability.AVAILABLE)));
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    String first = scenario.attempt(run).id();
    assertThat(place(scenario, run).zone()).isEqualTo("eu-1a");
    startFails(scenario, run, soldOut());
    Attempt second = scenario.attempt(run);
    assertThat(second.id()).isNotEqualTo(first);
    assertThat(second.number()).isEqualTo(2);
    assertThat(place(scenario, run).zone()).isEqualTo("eu-1b");
    startFails(scenario, run, soldOut());
    assertThat(place(scenario, run).instanceType()).isEqualTo("dear");
    startFails(scenario, run, soldOut());
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message())
        .isEqualTo("none of the 3 offers had capacity: sold out");
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void beforeEverybodyWhoSellsWasAskedOneWaits() {
    Scenario scenario = with(OfferView.of(List.of(), false, Instant.EPOCH), SMALL);
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
    scenario.market = market(offer("tiny", 1, Availability.NOT_AVAILABLE));
    scenario.tell(new Message.OffersChanged());
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.attempt(run).reason())
        .isEqualTo(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
    assertThat(scenario.run(run).message())
        .isEqualTo("the only matching offer is not available now");
  }

  @Test
  void whatWasSoldOutBeforeARunCameDoesNotEndIt() {
    OfferView stale =
        OfferView.of(
            List.of(offer("fair", 2, Availability.NOT_AVAILABLE)),
            true,
            Scenario.BEGIN.minusSeconds(1));
    Scenario scenario = with(stale);
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
    scenario.market = market(offer("fair", 2, Availability.AVAILABLE));
    scenario.tell(new Message.OffersChanged());
    assertThat(scenario.attempt(run).backend()).isEqualTo("rented");
  }

  @Test
  void aProviderThatAsksForPatienceGetsIt() {
    Scenario scenario = with(market(offer("fair", 2, Availability.AVAILABLE)));
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    Duration minute = Duration.ofMinutes(1);
    startFails(scenario, run, new ActionOutcome.Failed("too often", true, false, minute, null));
    assertThat(scenario.actions(run).getFirst().due()).isEqualTo(scenario.now().plus(minute));
    assertThat(scenario.actions(run).getFirst().attempts()).isEqualTo(1);
  }

  @Test
  void stoppingBetweenTwoOffersBuysNoMore() {
    Scenario scenario =
        with(
            market(
                offer("fair", 2, Availability.AVAILABLE),
                offer("dear", 3, Availability.AVAILABLE)));
    String run = scenario.submit("hello", TaskBuilder.task().cpus(8));
    scenario.stop("hello");
    startFails(scenario, run, soldOut());
    assertThat(scenario.memory.active(Attempt.class)).hasSizeLessThan(2);
    assertThat(scenario.actions(run))
        .noneMatch(
            action ->
                action.type() == Action.Type.START_JOB && action.state() == Action.State.IN_FLIGHT);
  }
}
