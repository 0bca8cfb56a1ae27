package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ActionCallsTest {
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
          () -> 7,
          SecretSource.NONE,
          LastLook.NONE,
          Office.KEPT);

  @Test
  void everyTypeOfActionIsOneCall() {
    assertThat(calls.call(action(Action.Type.START_JOB, null), false))
        .isInstanceOf(ActionOutcome.Done.class);
    for (Action action :
        List.of(
            action(Action.Type.STOP_JOB, Duration.ofMinutes(5)),
            action(Action.Type.STOP_JOB, null),
            action(Action.Type.KILL_JOB, null),
            action(Action.Type.REMOVE_JOB, null))) {
      assertThat(calls.call(action, false)).isEqualTo(new ActionOutcome.Done(clock.instant()));
    }
    assertThat(runtime.calls)
        .containsExactly("start a1", "stop a1 PT5M", "stop a1 PT0S", "kill a1", "remove a1");
    assertThat(points)
        .hasSize(10)
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
          assertThat(calls.call(action(Action.Type.START_JOB, null), false)).isEqualTo(outcome);
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
      assertThat(calls.call(action(Action.Type.START_JOB, null), false))
          .isEqualTo(new ActionOutcome.Failed("the backend failed: " + failure, true));
    }
  }

  @Test
  void aCallThatNeverCameBackIsWorthAnotherTryWhereItsKeyIsKnownAgain() {
    for (Action.Type type : List.of(Action.Type.START_JOB, Action.Type.KILL_JOB)) {
      assertThat(calls.silent(action(type, null)))
          .isEqualTo(
              new ActionOutcome.Failed(
                  "'" + Samples.BACKEND + "' did not respond for 2 minutes", true));
    }
  }

  @Test
  void aBackendThatIsNotThereMayComeBack() {
    Action elsewhere =
        new Action(
            "a1-kill",
            Action.Type.KILL_JOB,
            "a1",
            "elsewhere",
            Resource.Type.JOB,
            null,
            null,
            null,
            null,
            Action.State.IN_FLIGHT,
            1,
            null,
            Instant.EPOCH);
    assertThat(calls.call(elsewhere, false))
        .isEqualTo(
            new ActionOutcome.Parked(
                "waiting for the backend 'elsewhere', which is not open; if it was removed, add it"
                    + " again"));
  }

  private static Action action(Action.Type type, @Nullable Duration grace) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    return new Action(
        "a1-" + type,
        type,
        "a1",
        Samples.BACKEND,
        Resource.Type.JOB,
        type == Action.Type.START_JOB ? new JobRequest("a1", spec, ResourceVector.NOTHING) : null,
        null,
        null,
        grace,
        Action.State.IN_FLIGHT,
        1,
        null,
        Instant.EPOCH);
  }
}
