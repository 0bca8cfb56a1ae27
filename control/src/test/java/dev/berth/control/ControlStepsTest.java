package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Reply;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.model.Instance;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The parts together, stepped by one thread. */
final class ControlStepsTest {
  private final FakeRuntime runtime = new FakeRuntime();
  private final SettableClock clock = new SettableClock();
  private final WatchedLedger ledger = new WatchedLedger(new InMemoryLedger());
  private final List<Action> handedOver = new ArrayList<>();
  private final ControlSteps steps =
      new ControlSteps(
          new ControlSteps.Dependencies(
              ledger,
              ledger.takeOver(Ledger.MAIN_REALM, "a test"),
              new Owner("tests"),
              name -> name.equals(Samples.BACKEND) ? "docker" : name,
              clock,
              FailPoint.Observer.NONE,
              Decisions.RULES),
          Map.of(Samples.BACKEND, runtime),
          handedOver::add,
          (_, _, _) -> {});

  @Test
  void itsPartsSayWhenThereIsSomethingToDo() {
    steps.open();
    stepAll();
    assertThat(due("loop")).isEmpty();
    var _ = steps.send(Envelope.of(Samples.submit("r1", "hello")));
    assertThat(due("loop")).contains(clock.instant());
    assertThat(due("dispatcher")).isEmpty();
    step("loop");
    assertThat(due("loop")).isEmpty();
    assertThat(due("dispatcher")).contains(clock.instant());
    step("dispatcher");
    assertThat(handedOver).extracting(Action::id).containsExactly("r1-0-0-1-start");
    assertThat(due("dispatcher"))
        .as("when the call is given up")
        .contains(clock.instant().plus(Dispatcher.PATIENCE));

    step("watches of " + Samples.BACKEND);
    assertThat(due("watches of " + Samples.BACKEND))
        .as("what says nothing is looked at after a while")
        .contains(clock.instant().plusSeconds(5));
  }

  @Test
  void aCallThatDoesNotComeBackIsMadeAgainAndItsLateAnswerIsDropped() {
    steps.open();
    var _ = steps.send(Envelope.of(Samples.submit("r1", "hello")));
    stepAll();
    Action start = handedOver.getFirst();
    clock.pass(Dispatcher.PATIENCE);
    stepAll();
    assertThat(handedOver).as("after a pause").hasSize(1);
    clock.pass(Duration.ofSeconds(5));
    stepAll();
    assertThat(handedOver).extracting(Action::id).containsExactly(start.id(), start.id());

    steps.finished(start, steps.call(start));
    assertThat(due("loop")).isEmpty();
    steps.finished(handedOver.getLast(), steps.call(handedOver.getLast()));
    assertThat(due("loop")).contains(clock.instant());
  }

  @Test
  void anActionWhoseFirstCallIsReportedAfterAReloadIsNotCalledAgain() {
    steps.open();
    var _ = steps.send(Envelope.of(Samples.submit("r1", "hello")));
    stepAll();
    Action start = handedOver.getFirst();
    ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    var _ = steps.send(Envelope.of(Samples.submit("r2", "lost")));
    stepAll();
    assertThat(handedOver).as("its first call is still under way").containsExactly(start);

    steps.finished(start, steps.call(start));
    step("loop");
    stepAll();
    assertThat(handedOver).containsExactly(start);
    assertThat(runtime.calls).containsExactly("start r1-0-0-1");
  }

  @Test
  void anActionWhoseReportWasLostIsCalledAgain() {
    steps.open();
    var _ = steps.send(Envelope.of(Samples.submit("r1", "hello")));
    stepAll();
    Action start = handedOver.getFirst();
    ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    steps.finished(start, steps.call(start));
    stepAll();
    assertThat(handedOver).containsExactly(start, start);
  }

  @Test
  void machinesThatWereInALostCommitAreToldOnceMore() {
    ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    steps.open();
    stepAll();
    assertThat(machines()).isEqualTo(1);
  }

  @Test
  void machinesKnowTheTypeOfTheirBackend() {
    steps.open();
    stepAll();
    assertThat(ledger.list(LoopBench.REALM, EntityQuery.all("instance", 10)).items())
        .extracting(stored -> ((Instance) Codec.entity(stored.row())).backendType())
        .containsExactly("docker");
  }

  @Test
  void aBackendThatStaysThoughItsRemovalWasKeptHasItsMachinesAgain() {
    steps.open();
    stepAll();
    ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_KEPT;
    var removal = steps.askToRemove(Samples.BACKEND, "ann");
    step("loop");
    assertThat(removal).isCompletedExceptionally();
    steps.keep(Samples.BACKEND);
    stepAll();
    assertThat(machines()).isEqualTo(1);
    assertThat(steps.backends()).containsKey(Samples.BACKEND);
  }

  @Test
  void aBackendThatMayGoIsLetGo() {
    steps.open();
    stepAll();
    var removal = steps.askToRemove(Samples.BACKEND, "ann");
    step("loop");
    assertThat(removal.join()).isEqualTo(new Reply.None());
    assertThat(steps.letGo(Samples.BACKEND)).contains(runtime);
    assertThat(machines()).isZero();
    assertThat(steps.parts())
        .extracting(ControlStep::name)
        .containsExactly("loop", "dispatcher", "offers", "machines", "accelerators of machines");
  }

  private int machines() {
    return ledger.list(LoopBench.REALM, EntityQuery.all("instance", 10)).items().size();
  }

  private Optional<Instant> due(String part) {
    return part(part).next().apply(clock.instant());
  }

  private void step(String part) {
    part(part).step().run();
  }

  private ControlStep part(String name) {
    return steps.parts().stream()
        .filter(part -> part.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Steps until nothing is due. */
  private void stepAll() {
    Optional<ControlStep> next = ready();
    while (next.isPresent()) {
      next.get().step().run();
      next = ready();
    }
  }

  private Optional<ControlStep> ready() {
    Instant now = clock.instant();
    return steps.parts().stream()
        .filter(part -> part.next().apply(now).filter(at -> !at.isAfter(now)).isPresent())
        .findFirst();
  }
}
