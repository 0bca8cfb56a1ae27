package dev.berth.testkit.fake;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which calls a fault meets. Calls are counted for each rule by themselves: those that fit its
 * operations, scope and condition.
 *
 * @param operations names of routes; empty for all
 * @param first the first call that is met, from 1 on
 * @param times how many calls are met
 * @param probability with which one of them is met
 * @param seed of the dice, so that a run can be repeated
 */
public record FaultRule(
    FakeFault fault,
    Set<String> operations,
    Scope scope,
    Predicate<FakeRequest> where,
    long first,
    long times,
    double probability,
    long seed) {
  /** Which kinds of calls are met. */
  public enum Scope {
    ALL,
    READS,
    WRITES
  }

  public FaultRule {
    operations = Set.copyOf(operations);
    if (first < 1 || times < 1) {
      throw new IllegalArgumentException("calls are counted from 1 on");
    }
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("a probability is between 0 and 1: " + probability);
    }
  }

  /** A fault that meets every call. */
  public static FaultRule of(FakeFault fault) {
    return new FaultRule(fault, Set.of(), Scope.ALL, _ -> true, 1, Long.MAX_VALUE, 1, 0);
  }

  /** The same, only for some operations. */
  public FaultRule on(String... names) {
    return new FaultRule(
        fault, Set.copyOf(List.of(names)), scope, where, first, times, probability, seed);
  }

  /** The same, only for calls that read, or only for those that write. */
  public FaultRule in(Scope newScope) {
    return new FaultRule(fault, operations, newScope, where, first, times, probability, seed);
  }

  /** The same, only for calls that fit, such as those that name a region. */
  public FaultRule where(Predicate<FakeRequest> condition) {
    return new FaultRule(fault, operations, scope, condition, first, times, probability, seed);
  }

  /** The same, for one call only: the first one has the number 1. */
  public FaultRule atCall(long number) {
    return new FaultRule(fault, operations, scope, where, number, 1, probability, seed);
  }

  /** The same, for so many calls in a row. */
  public FaultRule times(long count) {
    return new FaultRule(fault, operations, scope, where, first, count, probability, seed);
  }

  /** The same, for a part of the calls. The same seed meets the same calls. */
  public FaultRule sometimes(double newProbability, long newSeed) {
    return new FaultRule(fault, operations, scope, where, first, times, newProbability, newSeed);
  }
}
