package dev.berth.simulation;

import dev.berth.control.ControlStep;
import dev.berth.ledger.FencedException;
import dev.berth.ledger.Ledger;
import dev.berth.simulation.invariants.Invariants;
import dev.berth.simulation.plan.Dice;
import dev.berth.simulation.plan.Plan;
import dev.berth.simulation.plan.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lives one plan. Time jumps to whatever comes next; of several things that can happen at one
 * moment, dice choose. Not safe for threads, and used once.
 */
public final class Simulation {
  /** How long all must have been quiet before it counts as the end. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  /** A life that is longer is one in which something never ends. */
  private static final Duration LONGEST = Duration.ofHours(12);

  private static final long MOST_STEPS = 60_000;
  private static final String PROGRESS = "every run ends or progresses";

  private final World world;
  private final Dice order;
  private @Nullable Instant quietSince;

  private Simulation(Plan plan, Variant variant, Ledger storage) {
    this.world = new World(plan, variant, storage, Invariants.all());
    this.order = Dice.of(plan.seed(), "order");
  }

  /** Lives a plan on an empty ledger, which is left open. */
  public static Outcome run(Plan plan, Variant variant, Ledger storage) {
    return new Simulation(plan, variant, storage).run();
  }

  private Outcome run() {
    Violation violation = null;
    try {
      world.servers().start();
      world.users().begin();
      while (!isOver()) {
        step();
      }
      world.lookAgain();
      world.invariants().forEach(invariant -> invariant.atEnd(world));
      world.throwFound();
    } catch (Violation found) {
      violation = found;
    }
    return new Outcome(
        world.plan(),
        world.step(),
        world.age(),
        world.trace().hash(),
        violation,
        world.trace().last());
  }

  private boolean isOver() {
    if (!world.users().areDone() || !world.records().isQuiet()) {
      quietSince = null;
      return false;
    }
    if (quietSince == null) {
      quietSince = world.now();
    }
    return !world.now().isBefore(quietSince.plus(QUIET));
  }

  /** Something that can happen now. */
  private record Ready(String name, Runnable what) {}

  private void step() {
    long number = world.nextStep();
    if (number > MOST_STEPS || world.age().compareTo(LONGEST) > 0) {
      throw new Violation(
          PROGRESS,
          "after %d steps and %s there is still %s"
              .formatted(number, world.age(), world.records().unfinished()));
    }
    trouble(number);
    List<Ready> ready = ready();
    while (ready.isEmpty()) {
      world.advance(next());
      ready = ready();
    }
    Ready chosen = order.oneOf(ready);
    world.note(chosen.name());
    chosen.what().run();
    world.lookAgain();
    world.invariants().forEach(invariant -> invariant.check(world));
    world.throwFound();
  }

  private void trouble(long number) {
    for (Trouble trouble : world.plan().troubles()) {
      if (trouble instanceof Trouble.Crash crash && crash.step() == number) {
        world.servers().crash(crash);
      }
      if (trouble instanceof Trouble.TakeOver takeOver && takeOver.step() == number) {
        world.servers().takeOver();
      }
    }
  }

  private List<Ready> ready() {
    Instant now = world.now();
    List<Ready> ready = new ArrayList<>();
    for (Timeline.Happening happening : world.timeline().due(now)) {
      ready.add(
          new Ready(
              happening.name(),
              () -> {
                world.timeline().take(happening);
                happening.what().run();
              }));
    }
    for (Server server : world.servers().alive()) {
      for (ControlStep part : server.parts()) {
        Optional<Instant> next = part.next().apply(now);
        if (next.isPresent() && !next.get().isAfter(now)) {
          ready.add(new Ready(server.name() + " " + part.name(), () -> step(server, part)));
        }
      }
    }
    return ready;
  }

  private void step(Server server, ControlStep part) {
    try {
      part.step().run();
    } catch (FencedException e) {
      world.servers().fence(server);
    } catch (Crashed e) {
      world.servers().die(server, e.downFor());
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException e) {
      throw new Violation("no step fails", part.name() + " of " + server.name() + ": " + e, e);
    }
  }

  /** The next moment at which something can happen. There always is one: users come again. */
  private Instant next() {
    Instant now = world.now();
    Instant soonest = world.timeline().next().orElseThrow();
    for (Server server : world.servers().alive()) {
      for (ControlStep part : server.parts()) {
        Instant next = part.next().apply(now).orElse(soonest);
        soonest = next.isBefore(soonest) ? next : soonest;
      }
    }
    return soonest;
  }
}
