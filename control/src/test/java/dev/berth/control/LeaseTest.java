package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Operation;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of a server that may have been stopped, and taken over from, since its last commit. */
@Timeout(60)
final class LeaseTest {
  private static final JobSpec SPEC =
      new JobSpec(
          "sh", List.of("true"), null, Map.of(), List.of(), null, null, JobSpec.Requirements.NONE);

  private static final Duration TOO_LONG = Lease.TRUSTED.plusMillis(1);

  private final SettableClock clock = new SettableClock();
  private final AtomicLong nanos = new AtomicLong();
  private final Ledger ledger = new InMemoryLedger(clock);
  private final Tenure tenure = ledger.takeOver(Ledger.MAIN_REALM, "this one");
  private final List<Throwable> lost = new ArrayList<>();
  private final Lease lease = new Lease(ledger, () -> tenure, clock, nanos::get, lost::add);
  private final FakeRuntime runtime = new FakeRuntime();
  private final ActionCalls calls =
      new ActionCalls(
          Map.of(Samples.BACKEND, runtime),
          Samples.NO_MACHINES,
          new Owner("tests"),
          clock,
          FailPoint.Observer.NONE,
          SecretSource.NONE,
          ReleaseGate.NONE,
          lease);

  @AfterEach
  void close() {
    lease.close();
    ledger.close();
  }

  @Test
  void callsAreMadeWhileASignOfLifeIsYoung() {
    lease.renew();
    nanos.addAndGet(Lease.TRUSTED.toNanos());
    clock.pass(Lease.TRUSTED);
    kill();
    assertThat(runtime.calls).containsExactly("kill a1");
  }

  @Test
  void aServerThatWasStoppedAndTakenOverCallsNobodyAnyMore() {
    lease.renew();
    nanos.addAndGet(TOO_LONG.toNanos());
    CompletableFuture<ActionOutcome> call = CompletableFuture.supplyAsync(this::kill);
    ledger.takeOver(Ledger.MAIN_REALM, "another one");
    lease.renew();
    assertThat(lost).singleElement().asString().contains("another server took over");
    lease.close();
    assertThat(call.join()).isInstanceOf(ActionOutcome.Failed.class);
    assertThat(runtime.calls).isEmpty();
  }

  @Test
  void aServerThatNobodyTookOverCallsAfterItsNextSignOfLife() {
    lease.renew();
    // As the clock of the wall tells after a machine was suspended; the other one stood still.
    clock.pass(TOO_LONG);
    CompletableFuture<ActionOutcome> call = CompletableFuture.supplyAsync(this::kill);
    lease.renew();
    assertThat(call.join()).isInstanceOf(ActionOutcome.Done.class);
    assertThat(runtime.calls).containsExactly("kill a1");
    assertThat(lost).isEmpty();
  }

  @Test
  void nothingIsCalledBeforeTheFirstSignOfLife() {
    lease.close();
    assertThatThrownBy(lease::awaitHeld).isInstanceOf(InterruptedException.class);
  }

  @Test
  void lookingNeedsNoOffice() {
    calls.call(
        action(new Operation.FindJob(new JobRequest("a1", SPEC, ResourceVector.NOTHING))), false);
    assertThat(lost).isEmpty();
  }

  private ActionOutcome kill() {
    return calls.call(action(new Operation.KillJob()), false);
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
