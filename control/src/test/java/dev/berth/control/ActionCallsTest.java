package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Operation;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ActionCallsTest {
  private static final Operation.StartJob START = start();
  private static final String NOT_OPEN =
      "waiting for the backend 'elsewhere', which is not open; if it was removed, add it again";

  private final FakeRuntime runtime = new FakeRuntime();
  private final SettableClock clock = new SettableClock();
  private final List<FailPoint> points = new ArrayList<>();
  private final ActionCalls calls =
      new ActionCalls(
          Map.of(Samples.BACKEND, runtime),
          Samples.NO_MACHINES,
          new Owner("tests"),
          clock,
          points::add,
          SecretSource.NONE,
          ReleaseGate.NONE,
          Leadership.KEPT);

  @Test
  void everyTypeOfActionIsOneCall() {
    assertThat(calls.call(action(START), false)).isInstanceOf(ActionOutcome.Done.class);
    for (Action action :
        List.of(
            action(new Operation.StopJob(Duration.ofMinutes(5))),
            action(new Operation.StopJob(Duration.ZERO)),
            action(new Operation.KillJob()),
            action(new Operation.ReleaseJob()),
            action(new Operation.RemoveJob()))) {
      assertThat(calls.call(action, false)).isEqualTo(new ActionOutcome.Done(clock.instant()));
    }
    assertThat(runtime.calls)
        .containsExactly(
            "start a1", "stop a1 PT5M", "stop a1 PT0S", "kill a1", "release a1", "remove a1");
    assertThat(points)
        .hasSize(12)
        .startsWith(FailPoint.BEFORE_ACTION, FailPoint.AFTER_ACTION, FailPoint.BEFORE_ACTION);
  }

  @Test
  void whatTheBackendForesawIsTransientOrNot() {
    Duration second = Duration.ofSeconds(1);
    Map<BackendException, ActionOutcome.Failed> failures =
        Map.of(
            new BackendException.Transient("no answer", null),
                new ActionOutcome.Failed("no answer", true),
            new BackendException.RateLimited("too often", second),
                new ActionOutcome.Failed("too often", true, false, second, null),
            new BackendException.NoCapacity("sold out"), ActionOutcome.Failed.soldOut("sold out"),
            new BackendException.QuotaExceeded("no more"), ActionOutcome.Failed.soldOut("no more"),
            new BackendException.Unauthorised("who are you", null),
                new ActionOutcome.Failed("who are you", false),
            new BackendException.BadConfig("regions", "is missing"),
                new ActionOutcome.Failed("'regions' is missing", false),
            new BackendException.Permanent("never", null), new ActionOutcome.Failed("never", false),
            new BackendException.Gone("not there", null),
                new ActionOutcome.Failed("not there", false));
    failures.forEach(
        (failure, outcome) -> {
          runtime.duringStart =
              () -> {
                throw failure;
              };
          assertThat(calls.call(action(START), false)).isEqualTo(outcome);
        });
    assertThat(points).doesNotContain(FailPoint.AFTER_ACTION);
  }

  @Test
  void whatTheBackendDidNotForeseeIsTriedAgain() {
    for (Throwable failure :
        List.of(new IllegalStateException("oops"), new NoClassDefFoundError("dev/Missing"))) {
      runtime.duringStart =
          () -> {
            switch (failure) {
              case RuntimeException e -> throw e;
              case Error e -> throw e;
              default -> throw new AssertionError(failure);
            }
          };
      assertThat(calls.call(action(START), false))
          .isEqualTo(new ActionOutcome.Failed("the backend failed: " + failure, true));
    }
  }

  @Test
  void aCallThatNeverCameBackIsWorthAnotherTryWhereItsKeyIsKnownAgain() {
    for (Operation operation : List.of(START, new Operation.KillJob())) {
      assertThat(calls.silent(action(operation)))
          .isEqualTo(
              new ActionOutcome.Failed(
                  "'" + Samples.BACKEND + "' did not respond for 2 minutes", true));
    }
  }

  @Test
  void aBackendThatIsNotThereMayComeBack() {
    for (Action action : List.of(elsewhere(new Operation.KillJob()), elsewhere(START))) {
      assertThat(calls.call(action, false)).isEqualTo(new ActionOutcome.Parked(NOT_OPEN));
    }
    assertThat(calls.call(elsewhere(new Operation.KillJob()), true))
        .isEqualTo(new ActionOutcome.Parked(NOT_OPEN));
  }

  @Test
  void whatMayHaveBeenMadeAtABackendThatIsNotThereIsLookedForBeforeItIsAskedForAgain() {
    assertThat(calls.call(elsewhere(START), true))
        .isEqualTo(ActionOutcome.Failed.inDoubt(NOT_OPEN, Duration.ofMinutes(1)));
  }

  private static Action elsewhere(Operation operation) {
    return new Action(
        "a1-" + operation.type(),
        operation,
        "a1",
        "elsewhere",
        Action.State.IN_FLIGHT,
        1,
        null,
        Instant.EPOCH,
        null);
  }

  private static Operation.StartJob start() {
    JobSpec spec =
        new JobSpec(
            "sh",
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    return new Operation.StartJob(new JobRequest("a1", spec, ResourceVector.NOTHING));
  }

  private static Action action(Operation operation) {
    return new Action(
        "a1-" + operation.type(),
        operation,
        "a1",
        Samples.BACKEND,
        Action.State.IN_FLIGHT,
        1,
        null,
        Instant.EPOCH,
        null);
  }
}
