package dev.berth.simulation;

import dev.berth.simulation.plan.Generator;
import dev.berth.simulation.plan.Plan;
import java.util.Optional;
import java.util.function.Consumer;

/** Lives many plans, one after the other. */
public record Seeds(Generator generator, Variant variant, Storage storage) {
  /** Berth as it is, and everything that must go well today. */
  public static Seeds today() {
    return new Seeds(Generator.today(), Variant.REAL, Storage.MEMORY);
  }

  public Seeds with(Variant newVariant) {
    return new Seeds(generator, newVariant, storage);
  }

  public Seeds on(Storage newStorage) {
    return new Seeds(generator, variant, newStorage);
  }

  public Seeds of(Generator newGenerator) {
    return new Seeds(newGenerator, variant, storage);
  }

  public Outcome live(long seed) {
    return live(generator.plan(seed));
  }

  public Outcome live(Plan plan) {
    return storage.with(ledger -> Simulation.run(plan, variant, ledger));
  }

  /** Lives seeds until one goes wrong, and tells of each; empty where none does. */
  public Optional<Outcome> firstViolation(long from, long count, Consumer<Outcome> told) {
    for (long seed = from; seed < from + count; seed++) {
      Outcome outcome = live(seed);
      told.accept(outcome);
      if (outcome.violation() != null) {
        return Optional.of(outcome);
      }
    }
    return Optional.empty();
  }
}
