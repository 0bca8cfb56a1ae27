package dev.berth.simulation.invariants;

import dev.berth.ledger.Commit;
import dev.berth.ledger.EventRow;
import dev.berth.ledger.Tenure;
import dev.berth.model.Attempt;
import dev.berth.simulation.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run on a schedule is executed once for each of its times, and never twice at a time. */
final class ExecutionsDoNotOverlap implements Invariant {
  /** The number of the execution in the id of an attempt; the first one has none. */
  private static final Pattern EXECUTION = Pattern.compile("^[^-]+-t(\\d+)-");

  private final Set<String> times = new HashSet<>();

  @Override
  public String name() {
    return "executions of a run do not overlap";
  }

  @Override
  public void committed(World world, Tenure tenure, Commit commit) {
    for (EventRow event : commit.events()) {
      if (event.kind().equals("run.triggered")
          && !times.add(event.entity().id() + " " + event.body())) {
        violated(world, event.entity().id() + " is started twice for " + event.body());
      }
    }
  }

  @Override
  public void check(World world) {
    Map<String, String> executions = new HashMap<>();
    world
        .records()
        .all(Attempt.class)
        .filter(Attempt::active)
        .forEach(
            attempt -> {
              String before = executions.putIfAbsent(attempt.runId(), execution(attempt));
              if (before != null && !before.equals(execution(attempt))) {
                violated(
                    world,
                    "%s has executions %s and %s at the same time"
                        .formatted(attempt.runId(), before, execution(attempt)));
              }
            });
  }

  private static String execution(Attempt attempt) {
    Matcher matcher = EXECUTION.matcher(attempt.id());
    return matcher.find() ? matcher.group(1) : "1";
  }
}
