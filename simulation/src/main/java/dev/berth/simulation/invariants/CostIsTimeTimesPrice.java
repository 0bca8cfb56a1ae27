package dev.berth.simulation.invariants;

import dev.berth.control.Codec;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.JobRequest;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Run;
import dev.berth.simulation.Server;
import dev.berth.simulation.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A run has cost what its attempts cost that have ended: the time of each, at the provider's own
 * price of the machine, for the part of it that was asked for.
 */
final class CostIsTimeTimesPrice implements Invariant {
  private static final double SMALLEST = 1e-9;

  /** What each attempt costs an hour, by what was handed over for it. */
  private final Map<String, Double> prices = new HashMap<>();

  /** Where each machine was bought. */
  private final Map<String, Place> machines = new HashMap<>();

  @Override
  public String name() {
    return "a run costs its time times its share times the price";
  }

  @Override
  public void handedOver(World world, Server server, Action action) {
    action.machine().ifPresent(machine -> machines.put(action.resourceId(), machine.place()));
    if (action.operation() instanceof Operation.StartJob start) {
      String machine = action.machineId();
      JobRequest job =
          machine == null
              ? start.request()
              : start.request().at(Objects.requireNonNull(machines.get(machine), "it was bought"));
      prices.put(action.resourceId(), world.provider(action.backend()).price(job));
    }
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    Map<String, Attempt> written = new HashMap<>();
    for (EntityRow row : commit.puts()) {
      if (row.key().kind().equals(Entity.Kind.ATTEMPT.word())) {
        Attempt attempt = (Attempt) Codec.entity(row);
        written.put(attempt.id(), attempt);
      }
    }
    for (EntityRow row : commit.puts()) {
      if (row.key().kind().equals(Entity.Kind.RUN.word())) {
        check(world, (Run) Codec.entity(row), written);
      }
    }
  }

  private void check(World world, Run run, Map<String, Attempt> written) {
    Stream<Attempt> before =
        world.records().all(Attempt.class).filter(attempt -> !written.containsKey(attempt.id()));
    double expected =
        Stream.concat(before, written.values().stream())
            .filter(attempt -> attempt.runId().equals(run.id()))
            .mapToDouble(this::cost)
            .sum();
    if (Math.abs(expected - run.cost()) > SMALLEST) {
      violated(world, run.id() + " cost " + run.cost() + " and should have cost " + expected);
    }
  }

  private double cost(Attempt attempt) {
    if (attempt.startedAt() == null || attempt.finishedAt() == null) {
      return 0;
    }
    Duration time = Duration.between(attempt.startedAt(), attempt.finishedAt());
    // Where the provider's clock is behind ours, an end can come before its beginning.
    return Math.max(0, time.toMillis()) / 3_600_000.0 * prices.getOrDefault(attempt.id(), 0.0);
  }
}
