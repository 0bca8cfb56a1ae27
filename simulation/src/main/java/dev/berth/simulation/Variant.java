package dev.berth.simulation;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Rules;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.spi.Compute;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What of Berth is replaced in a simulation: nothing, but where a test breaks a rule to see that it
 * is found.
 *
 * @param ledger what stands between the servers and the ledger
 * @param calls what becomes of an action before its call is made
 * @param backends what servers see of a provider
 */
public record Variant(
    Rules rules,
    BiFunction<World, Ledger, Ledger> ledger,
    UnaryOperator<Action> calls,
    UnaryOperator<Compute> backends) {
  /** Berth as it is. */
  public static final Variant REAL =
      new Variant(
          Decisions.RULES,
          (_, ledger) -> ledger,
          UnaryOperator.identity(),
          UnaryOperator.identity());

  public Variant with(Rules newRules) {
    return new Variant(newRules, ledger, calls, backends);
  }

  public Variant with(BiFunction<World, Ledger, Ledger> newLedger) {
    return new Variant(rules, newLedger, calls, backends);
  }

  public Variant with(UnaryOperator<Action> newCalls) {
    return new Variant(rules, ledger, newCalls, backends);
  }

  public Variant seeing(UnaryOperator<Compute> newBackends) {
    return new Variant(rules, ledger, calls, newBackends);
  }
}
