package dev.berth.testkit.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The faults that are set up at a fake cloud. Any thread may add and remove them. */
public final class FakeFaults {
  private final List<Active> active = new CopyOnWriteArrayList<>();

  FakeFaults() {}

  /** Sets up a fault. It stays until it is closed, also when its calls are used up. */
  public Injected add(FaultRule rule) {
    Active added = new Active(rule);
    active.add(added);
    return added;
  }

  /** Removes all faults. */
  public void clear() {
    active.clear();
  }

  /** A fault that is set up. */
  public interface Injected extends AutoCloseable {
    /** How many calls it has met. */
    int count();

    /** Removes it. */
    @Override
    void close();
  }

  /** Counts a call, and says which faults meet it. */
  FaultsOfCall of(String operation, boolean writes, FakeRequest request) {
    List<FakeFault> met = new ArrayList<>();
    for (Active each : active) {
      if (each.meets(operation, writes, request)) {
        met.add(each.rule.fault());
      }
    }
    return new FaultsOfCall(met);
  }

  private final class Active implements Injected {
    private final FaultRule rule;
    private final Random dice;
    private final AtomicInteger met = new AtomicInteger();
    private long calls;

    Active(FaultRule rule) {
      this.rule = rule;
      this.dice = new Random(rule.seed());
    }

    synchronized boolean meets(String operation, boolean writes, FakeRequest request) {
      boolean inScope =
          switch (rule.scope()) {
            case ALL -> true;
            case READS -> !writes;
            case WRITES -> writes;
          };
      if (!inScope
          || !(rule.operations().isEmpty() || rule.operations().contains(operation))
          || !rule.where().test(request)) {
        return false;
      }
      calls++;
      boolean meets =
          calls >= rule.first()
              && calls - rule.first() < rule.times()
              && (rule.probability() >= 1 || dice.nextDouble() < rule.probability());
      if (meets) {
        met.incrementAndGet();
      }
      return meets;
    }

    @Override
    public int count() {
      return met.get();
    }

    @Override
    public void close() {
      active.remove(this);
    }
  }
}
