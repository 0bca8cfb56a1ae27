package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.Operation;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The simulated cloud's interface: every call goes through it, is counted, met by faults, carried
 * out on the world and written into the trace. What happens is a function of the world, the
 * scenario, the seed, the number of the call and the time.
 */
public final class SimCloud {
  private final SimScenario scenario;
  private final Chance chance;
  private final boolean authorised;
  private final boolean lookup;
  private final CloudState state;
  private final InstantSource clock;
  private final Waiting waiting;
  private final Trace trace = new Trace();
  private final ChangeSignal changes = new ChangeSignal();

  SimCloud(
      SimConfig config,
      SimScenario scenario,
      CloudState state,
      InstantSource clock,
      Waiting waiting) {
    this.scenario = scenario;
    this.chance = new Chance(config.seed());
    this.authorised = config.isAuthorised();
    this.lookup = config.identity() == SimConfig.Naming.LOOKUP;
    this.state = state;
    this.clock = clock;
    this.waiting = waiting;
  }

  /** The calls so far, a line each: time, call, arguments, outcome. The oldest are forgotten. */
  public List<String> trace() {
    return trace.lines();
  }

  /** All that costs money there now, of whoever it is. Not a call: nothing counts or hides it. */
  public List<Holding> holdings() {
    return look(
        turn -> {
          World world = turn.world();
          return Stream.concat(
                  world.things().stream().flatMap(thing -> Holding.of(thing, turn.now()).stream()),
                  world.jobs().stream()
                      .flatMap(
                          job -> Holding.of(job, world, turn.now(), scenario.queue()).stream()))
              .toList();
        });
  }

  /** The keys of which all that was asked for was refused late. Not a call, either. */
  public Set<String> refusedKeys() {
    return look(
        turn -> {
          Set<String> refused = new TreeSet<>();
          Set<String> others = new TreeSet<>();
          for (SimResource thing : turn.world().things()) {
            (thing.isRefused(turn.now()) ? refused : others).add(thing.key());
          }
          refused.removeAll(others);
          return refused;
        });
  }

  public SimScenario scenario() {
    return scenario;
  }

  ChangeSignal changes() {
    return changes;
  }

  boolean isShared() {
    return state.isShared();
  }

  /** How far the times that the cloud tells are from ours. */
  Duration skew() {
    return scenario.clockAhead().minus(scenario.clockBehind());
  }

  /** Looks at the world without a call: for watches, which are no part of the provider. */
  <T> T look(Function<Turn, T> eye) {
    return state.with(
        world -> {
          Instant now = clock.instant();
          Turn turn = new Turn(world, scenario, chance, 0, now, now, List.of());
          Admission.admit(turn);
          return eye.apply(turn);
        });
  }

  /** A call that has no answer. */
  void run(Operation operation, String arguments, Consumer<Turn> effect) {
    call(
        operation,
        arguments,
        turn -> {
          effect.accept(turn);
          return true;
        },
        _ -> "done");
  }

  /**
   * A call.
   *
   * @param arguments for the trace; never a secret
   * @param effect what it does to the world, and its answer
   * @param words the answer in the trace
   */
  <T> T call(
      Operation operation, String arguments, Function<Turn, T> effect, Function<T, String> words) {
    Done<T> done = state.with(world -> carryOut(world, operation, arguments, effect, words));
    if (done.changed()) {
      changes.signal();
    }
    scenario
        .latency(operation)
        .map(latency -> latency.at(chance.of("latency-" + operation, done.number())))
        .filter(Duration::isPositive)
        .ifPresent(waiting::pause);
    return done.answer();
  }

  /** What came of a call: an answer or a failure. */
  private record Done<T>(
      @Nullable T value, @Nullable BackendException failure, long number, boolean changed) {
    T answer() {
      if (failure != null) {
        throw failure;
      }
      if (value == null) {
        throw new IllegalStateException("a call has an answer or a failure");
      }
      return value;
    }
  }

  private <T> Done<T> carryOut(
      World world,
      Operation operation,
      String arguments,
      Function<Turn, T> effect,
      Function<T, String> words) {
    Instant now = clock.instant();
    long number = world.count(operation);
    String line =
        "%s %s#%d %s-> "
            .formatted(
                world.age(now),
                operation.word(),
                number,
                arguments.isEmpty() ? "" : arguments + " ");
    try {
      Turn turn = turn(world, operation, number, now);
      Admission.admit(turn);
      refuse(turn);
      T answer = applied(turn, effect);
      loseAnswer(turn, operation);
      trace.add(line + words.apply(answer));
      return new Done<>(answer, null, number, world.hasChanged());
    } catch (BackendException failure) {
      trace.add(line + failure.code() + ": " + failure.getMessage());
      return new Done<>(null, failure, number, world.hasChanged());
    } finally {
      world.forget(now);
    }
  }

  private static <T> T applied(Turn turn, Function<Turn, T> effect) {
    T first = effect.apply(turn);
    if (!turn.has(Fault.Kind.CREATED_TWICE)) {
      return first;
    }
    try {
      return effect.apply(turn);
    } catch (BackendException _) {
      // There was room for one only, which is there.
      return first;
    }
  }

  private Turn turn(World world, Operation operation, long number, Instant now) {
    List<Fault> happening = new ArrayList<>();
    for (int i = 0; i < scenario.faults().size(); i++) {
      Fault fault = scenario.faults().get(i);
      if (fault.concerns(operation)
          && fault.isDue(world.age(now))
          && (fault.calls().contains((int) number)
              || chance.of("fault-" + i + "-" + operation, number) < fault.probability())) {
        happening.add(fault);
      }
    }
    // Where nobody knows the key again, a call without an answer may still be on its way.
    boolean late =
        lookup
            && happening.stream()
                .anyMatch(fault -> fault.kind() == Fault.Kind.TIMEOUT_THOUGH_CREATED);
    Duration delay =
        late
            ? Duration.ofNanos(
                (long) (scenario.callDeadline().toNanos() * chance.of("late-" + operation, number)))
            : Duration.ZERO;
    return new Turn(world, scenario, chance, number, now, now.plus(delay), happening);
  }

  /** Throws what keeps a call from being carried out. */
  private void refuse(Turn turn) {
    if (!authorised) {
      throw new BackendException.Unauthorised(
          "the simulated cloud does not accept the key in creds.api_key", null);
    }
    turn.find(Fault.Kind.RATE_LIMITED)
        .ifPresent(
            fault -> {
              throw new BackendException.RateLimited(
                  "the simulated cloud was asked too often", fault.lasts());
            });
    if (turn.has(Fault.Kind.ERROR)) {
      throw new BackendException.Transient("the simulated cloud answered with an error", null);
    }
  }

  private static void loseAnswer(Turn turn, Operation operation) {
    if (turn.has(Fault.Kind.TIMEOUT_THOUGH_CREATED)) {
      throw new BackendException.Transient(
          "the simulated cloud did not answer the call " + operation.word(), null);
    }
    if (turn.has(Fault.Kind.ERROR_THOUGH_CREATED)) {
      throw new BackendException.Transient(
          "the simulated cloud answered the call %s with an error".formatted(operation.word()),
          null);
    }
  }
}
