package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.planning.fleet.FleetPlanner;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The states of machines and fleets, row by row of sections 2.3 and 2.4 of the reference. */
final class DstackMachineTableTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private Scenario scenario = new Scenario();
  private Cloud cloud = new Cloud(scenario);

  private void begin() {
    scenario = Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 2));
    cloud = new Cloud(scenario);
  }

  /** A fleet of one machine, which is there or on its way. */
  private String fleetOfOne() {
    begin();
    return scenario.applyFleet(
        "pool", Offers.fleet(new FleetNodes(0, 1, null), Blocks.WHOLE, null, HOUR));
  }

  private Instance only(String fleet) {
    return scenario
        .memory
        .all(Instance.class)
        .filter(one -> fleet.equals(one.parent()))
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  private @Nullable InstanceReason reason(String fleet) {
    return only(fleet).bought().orElseThrow().reason();
  }

  @TestFactory
  Stream<DynamicTest> machines() {
    return new DstackTable(
            "pending, try offers",
            "pending, no offers",
            "pending, cluster waits for its master",
            "pending, SSH",
            "pending, placeholder",
            "provisioning, reachable",
            "provisioning, deadline or error",
            "provisioning, container backend",
            "idle or busy, unreachable",
            "idle, too long",
            "idle or provisioning, updated fleet",
            "idle, fleet over its maximum",
            "busy, job ended, not dockerized",
            "any, deleted by the user",
            "terminating, ok",
            "terminating, errors")
        .row("pending, try offers", this::triesOffers)
        .different(
            "pending, no offers",
            "tried again after a pause that grows, because the fleet shall have it",
            this::noOffers)
        .different(
            "pending, cluster waits for its master",
            "all machines of a cluster are bought where the first one is, in one decision",
            this::cluster)
        .absent("pending, SSH", "there are no SSH fleets yet")
        .absent("pending, placeholder", "a machine is written down only when it is asked for")
        .row("provisioning, reachable", this::reachable)
        .row("provisioning, deadline or error", this::deadline)
        .absent("provisioning, container backend", "what is bought there is the job, not a machine")
        .different(
            "idle or busy, unreachable",
            "after 2 minutes without an answer of a job on it; idle ones are watched by their"
                + " provider only",
            this::unreachable)
        .row("idle, too long", this::idleTooLong)
        .row("idle or provisioning, updated fleet", this::updated)
        .row("idle, fleet over its maximum", this::overMaximum)
        .absent("busy, job ended, not dockerized", "what is bought there is the job, not a machine")
        .row("any, deleted by the user", this::deletedByUser)
        .row("terminating, ok", this::terminated)
        .different(
            "terminating, errors",
            "a delete never gives up, and nothing is called gone before the provider shows it",
            this::deleteFails)
        .tests();
  }

  private void triesOffers() {
    String fleet = fleetOfOne();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.PENDING);
    cloud.answer();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.PROVISIONING);
    assertThat(cloud.asked).containsExactly("fair@eu-1");
  }

  private void noOffers() {
    begin();
    cloud.soldOut("eu-1");
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.answer();
    assertThat(reason(fleet)).isEqualTo(InstanceReason.NO_OFFERS);
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.TERMINATED);
    cloud.soldAgain();
    scenario.pass(Duration.ofMinutes(1));
    cloud.run();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.IDLE);
  }

  private void cluster() {
    begin();
    scenario.market =
        Offers.market(Offers.machine("near", 1, "eu-1"), Offers.machine("far", 2, "us-1"));
    String fleet =
        scenario.applyFleet(
            "pool",
            Offers.fleet(new FleetNodes(3, 3, null), Blocks.WHOLE, FleetPlacement.CLUSTER, null));
    assertThat(scenario.memory.children(Instance.class, fleet))
        .hasSize(3)
        .allMatch(one -> one.region().equals("eu-1"));
  }

  private void reachable() {
    String fleet = fleetOfOne();
    cloud.run();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.IDLE);
    String run = scenario.submit("hello", TaskBuilder.task().cpus(16));
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.BUSY);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
  }

  private void deadline() {
    String fleet = fleetOfOne();
    cloud.answer();
    scenario.pass(Duration.ofMinutes(10));
    assertThat(reason(fleet)).isEqualTo(InstanceReason.PROVISIONING_TIMEOUT);
    String second = fleetOfOne();
    cloud.answer();
    cloud.observation(only(second).id(), ResourceObservation.State.FAILED);
    assertThat(reason(second)).isEqualTo(InstanceReason.ERROR);
    assertThat(only(second).status()).isEqualTo(Instance.Status.TERMINATING);
  }

  private void unreachable() {
    String fleet = fleetOfOne();
    cloud.run();
    String run = scenario.submit("hello");
    cloud.run();
    scenario.tell(new Message.Unseen(scenario.attempt(run).id()));
    scenario.pass(Duration.ofMinutes(2));
    assertThat(reason(fleet)).isEqualTo(InstanceReason.UNREACHABLE);
    String second = fleetOfOne();
    cloud.run();
    cloud.observation(only(second).id(), ResourceObservation.State.OFF);
    assertThat(reason(second)).isEqualTo(InstanceReason.ERROR);
  }

  private void idleTooLong() {
    String fleet = fleetOfOne();
    cloud.run();
    scenario.pass(HOUR);
    assertThat(reason(fleet)).isEqualTo(InstanceReason.IDLE_TIMEOUT);
    begin();
    String kept =
        scenario.applyFleet(
            "pool", Offers.fleet(new FleetNodes(1, 1, null), Blocks.WHOLE, null, HOUR));
    cloud.run();
    scenario.pass(HOUR.multipliedBy(3));
    assertThat(only(kept).status()).isEqualTo(Instance.Status.IDLE);
  }

  private void updated() {
    for (boolean ready : List.of(true, false)) {
      String fleet = fleetOfOne();
      if (ready) {
        cloud.run();
      } else {
        cloud.answer();
      }
      scenario.applyFleet(
          "pool",
          FleetPlanner.spec(
              Offers.restricted(
                  new FleetNodes(0, 0, null),
                  Blocks.WHOLE,
                  null,
                  null,
                  null,
                  null,
                  List.of("dear"),
                  null)));
      assertThat(reason(fleet)).isEqualTo(InstanceReason.FLEET_SPEC_MISMATCH);
    }
  }

  private void overMaximum() {
    begin();
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 2, null));
    cloud.run();
    scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    cloud.answer();
    assertThat(scenario.memory.children(Instance.class, fleet)).hasSize(1);
    assertThat(reason(fleet)).isEqualTo(InstanceReason.MAX_INSTANCES_LIMIT);
  }

  private void deletedByUser() {
    String fleet = fleetOfOne();
    cloud.run();
    scenario.deleteFleet("pool");
    assertThat(reason(fleet)).isEqualTo(InstanceReason.TERMINATED_BY_USER);
  }

  private void terminated() {
    String fleet = fleetOfOne();
    cloud.run();
    scenario.deleteFleet("pool");
    String machine = only(fleet).id();
    scenario.report(scenario.flying(machine), new ActionOutcome.Done(scenario.now()));
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.TERMINATING);
    scenario.tell(new Message.ResourceObserved(machine, ResourceObservation.ABSENT));
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.TERMINATED);
  }

  private void deleteFails() {
    String fleet = fleetOfOne();
    cloud.run();
    scenario.deleteFleet("pool");
    String machine = only(fleet).id();
    for (int i = 0; i < 60; i++) {
      Action delete = scenario.flying(machine);
      scenario.report(delete, new ActionOutcome.Failed("not allowed", false));
      scenario.pass(Duration.ofMinutes(10));
    }
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.TERMINATING);
    assertThat(scenario.eventsOf(machine)).contains("resource.does_not_go");
    Reply reply = scenario.tell(new Message.BackendRemoved(Offers.BACKEND, "ann"));
    assertThat(reply).as("nor does its backend go before it").isInstanceOf(Reply.Refused.class);
    cloud.answer();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.TERMINATED);
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> fleets() {
    return new DstackTable(
            "active to terminating to terminated",
            "submitted and failed are reserved",
            "reconcile delays",
            "stops after 15 until the user updates",
            "deleted when empty and unused")
        .row("active to terminating to terminated", this::fleetLife)
        .absent("submitted and failed are reserved", "states that nobody is in are not there")
        .row("reconcile delays", this::delays)
        .row("stops after 15 until the user updates", this::stopsTrying)
        .row("deleted when empty and unused", this::emptyAndUnused)
        .tests();
  }

  private void fleetLife() {
    String fleet = fleetOfOne();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.ACTIVE);
    cloud.run();
    scenario.deleteFleet("pool");
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATING);
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATED);
  }

  private void delays() {
    begin();
    cloud.soldOut("eu-1");
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.answer();
    for (int minutes : List.of(1, 2, 5, 10, 30, 30)) {
      Duration pause = Duration.ofMinutes(minutes);
      assertThat(scenario.fleet(fleet).due()).isEqualTo(scenario.now().plus(pause));
      scenario.pass(pause);
      cloud.answer();
    }
  }

  private void stopsTrying() {
    begin();
    cloud.soldOut("eu-1");
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.answer();
    for (int i = 0; i < 40; i++) {
      scenario.pass(HOUR);
      cloud.answer();
    }
    assertThat(cloud.asked).as("both offers in each trial").hasSize(2 * FleetLife.MOST_TRIALS);
    cloud.soldAgain();
    scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.run();
    assertThat(only(fleet).status()).isEqualTo(Instance.Status.IDLE);
  }

  private void emptyAndUnused() {
    begin();
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 1, null));
    cloud.run();
    String run = scenario.submit("hello");
    cloud.run();
    scenario.deleteFleet("pool");
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATING);
    scenario.exit(run, 0, 0);
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATED);
  }
}
