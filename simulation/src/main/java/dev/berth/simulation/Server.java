package dev.berth.simulation;

import dev.berth.control.ControlStep;
import dev.berth.control.ControlSteps;
import dev.berth.control.FailPoint;
import dev.berth.control.Instruments;
import dev.berth.control.SecretSource;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.simulation.plan.Trouble;
import dev.berth.simulation.providers.Cloud;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One server: the steps, and what is on its way from and to it. */
public final class Server implements ControlSteps.OutsideCalls {
  /** What a server does no more that knows that another one took over, as in the engine. */
  private static final Set<String> ENDED_BY_A_FENCE = Set.of("loop", "dispatcher");

  private final World world;
  private final String name;
  private final ControlSteps steps;

  /** When the last word of each backend arrives, which the next one cannot overtake. */
  private final Map<String, Instant> lastWords = new HashMap<>();

  private boolean alive = true;
  private boolean fenced;
  private Trouble.@Nullable Crash crash;

  Server(World world, String name) {
    this.world = world;
    this.name = name;
    this.steps =
        new ControlSteps(
            new ControlSteps.Dependencies(
                world.ledger(),
                world.ledger().takeOver(Ledger.MAIN_REALM, name),
                Cloud.OWNER,
                world::typeOf,
                world.clock(),
                this::reached,
                world.rules(),
                SecretSource.NONE,
                Instruments.NONE,
                world.connector()),
            world.configuredBackends(),
            this,
            (_, _, _) -> {});
    steps.open();
  }

  public String name() {
    return name;
  }

  ControlSteps steps() {
    return steps;
  }

  boolean isAlive() {
    return alive;
  }

  /** Whether it knows that another one took over. */
  public boolean isFenced() {
    return fenced;
  }

  /** Whether it is the one that may write. */
  boolean isInOffice() {
    return alive && !fenced && isLatest();
  }

  /** Whether nobody took over from it, as far as anybody knows. */
  public boolean isLatest() {
    return world.owner().equals(name);
  }

  /** All its parts that go on. */
  List<ControlStep> parts() {
    return steps.parts().stream()
        .filter(part -> !fenced || !ENDED_BY_A_FENCE.contains(part.name()))
        .toList();
  }

  void die() {
    alive = false;
  }

  void fence() {
    fenced = true;
  }

  /** Dies in its next commit, before or after it is written. */
  void dieIn(Trouble.Crash coming) {
    crash = coming;
  }

  private void reached(FailPoint point) {
    Trouble.Where here =
        switch (point) {
          case BEFORE_COMMIT -> Trouble.Where.BEFORE_COMMIT;
          case AFTER_COMMIT -> Trouble.Where.AFTER_COMMIT;
          // Calls are made outside of the server's steps; see call.
          case BEFORE_ACTION, AFTER_ACTION -> Trouble.Where.BEFORE_STEP;
        };
    if (crash != null && crash.where() == here) {
      throw new Crashed(crash.downFor());
    }
  }

  /** Sends the call on its way: it is carried out later, and its answer comes later still. */
  @Override
  public void carryOut(Action action) {
    world.invariants().forEach(invariant -> invariant.handedOver(world, this, action));
    Network.Way way = world.network().nextCall();
    world.happens(
        way.there(),
        name + " calls " + action.backend() + " " + action.id(),
        () -> isInOffice() || world.plan().lateCalls(),
        () -> call(action, way));
    Trouble.CrashWithCall last = way.crash();
    if (last != null) {
      world.happens(
          Duration.ZERO,
          "the power of " + name + " is cut",
          () -> alive,
          () -> world.servers().die(this, last.downFor()));
    }
  }

  private void call(Action action, Network.Way way) {
    ActionOutcome outcome = steps.call(world.variant().calls().apply(action));
    world.note("  " + words(outcome));
    world.lateStarts().called(action);
    if (!way.silent()) {
      world.happens(
          way.back(),
          name + " hears of " + action.id(),
          () -> alive,
          () -> steps.finished(action, outcome));
    }
  }

  @Override
  public void lookUp(String backend, Runnable call) {
    Duration delay = world.network().nextLookUp();
    if (delay.isZero()) {
      call.run();
    } else {
      world.happens(delay, name + " hears of the offers of " + backend, () -> alive, call);
    }
  }

  private static String words(ActionOutcome outcome) {
    return switch (outcome) {
      case ActionOutcome.Done _ -> "done";
      case ActionOutcome.Created created -> "made " + created.ref().id();
      case ActionOutcome.Looked looked -> "found " + looked.found().size();
      case ActionOutcome.Failed failed -> "failed: " + failed.message();
      case ActionOutcome.MissingSecret missing -> "missing: " + missing.message();
      case ActionOutcome.Parked parked -> "parked: " + parked.message();
    };
  }

  @Override
  public void seen(String backend, Runnable word) {
    Instant now = world.now();
    Instant at = now.plus(world.network().nextWord());
    Instant last = lastWords.getOrDefault(backend, now);
    // A millisecond apart, so that what was seen first is told first.
    Instant told = at.isAfter(last) ? at : last.plusMillis(1);
    lastWords.put(backend, told);
    world.happens(Duration.between(now, told), name + " hears from " + backend, () -> alive, word);
  }
}
