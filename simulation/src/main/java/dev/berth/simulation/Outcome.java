package dev.berth.simulation;

import dev.berth.simulation.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a simulated life went.
 *
 * @param steps how many there were
 * @param time how long it lasted, by its own clock
 * @param traceHash the same for two lives that went the same way
 * @param violation what must not happen and did; null where all went well
 * @param lastSteps the end of the trace
 */
public record Outcome(
    Plan plan,
    long steps,
    Duration time,
    String traceHash,
    @Nullable Violation violation,
    List<String> lastSteps) {
  public Outcome {
    lastSteps = List.copyOf(lastSteps);
  }

  /** The invariant that does not hold; empty where all do. */
  public Optional<String> invariant() {
    return Optional.ofNullable(violation).map(Violation::invariant);
  }

  /** All that a person needs to look into it. */
  public String report() {
    if (violation == null) {
      return "seed %d: all well after %d steps and %s".formatted(plan.seed(), steps, time);
    }
    return "seed %d, step %d, time %s: \"%s\" does not hold: %s\n%s"
        .formatted(
            plan.seed(),
            steps,
            time,
            violation.invariant(),
            violation.getMessage(),
            String.join("\n", lastSteps));
  }
}
