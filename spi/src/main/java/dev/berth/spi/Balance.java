package dev.berth.spi;

import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much of a host that can be cut freely its accelerators should get: twice their memory as
 * memory, a processor for each 6 GiB of it, and as much disk as the larger of both memories. Pure.
 */
public final class Balance {
  private static final long GIB = 1024;
  private static final long MEMORY_PER_ACCELERATOR_MEMORY = 2;
  private static final long MEMORY_MIB_PER_CPU = 6 * GIB;

  /** Of a host that is shared, others find something left. */
  private static final int SHARED_PERCENT = 75;

  private Balance() {}

  /** What a host has to give, all its accelerators included. */
  public record Host(int cpus, long memoryMib, long diskMib, int accelerators) {}

  /** What a machine cut from a host has. */
  public record Shape(int cpus, long memoryMib, long diskMib) {}

  /**
   * The shape of a machine with some of a host's accelerators.
   *
   * @param acceleratorMemoryMib of all the machine's accelerators together
   * @param filter whose bounds for cpus, memory and disk the shape keeps
   * @param balance whether written minimums may be exceeded to suit the accelerators; what has no
   *     minimum gets what suits them in either case
   * @return empty where the host has too little
   */
  public static Optional<Shape> shape(
      Host host, int accelerators, long acceleratorMemoryMib, OfferFilter filter, boolean balance) {
    if (accelerators < 1 || accelerators > host.accelerators()) {
      return Optional.empty();
    }
    int percent = accelerators == host.accelerators() ? 100 : SHARED_PERCENT;
    Bounds cpus = Bounds.of(filter.cpus(), (long) host.cpus() * percent / 100);
    Bounds memory = Bounds.of(filter.memoryMib(), host.memoryMib() * percent / 100);
    Bounds disk = Bounds.of(filter.diskMib(), host.diskMib() * percent / 100);

    long leastMemory = Math.max(accelerators, cpus.min()) * GIB;
    long memoryMib =
        memory.choose(
            MEMORY_PER_ACCELERATOR_MEMORY * acceleratorMemoryMib, leastMemory, 2 * GIB, balance);
    long cpuCount = cpus.choose(memoryMib / MEMORY_MIB_PER_CPU, accelerators, 2, balance);
    long diskMib = disk.choose(Math.max(memoryMib, acceleratorMemoryMib), 0, 1, balance);
    boolean enough =
        cpus.allow(cpuCount)
            && memory.allow(memoryMib)
            && disk.allow(diskMib)
            && cpuCount >= accelerators
            && memoryMib >= accelerators * GIB;
    return enough ? Optional.of(new Shape((int) cpuCount, memoryMib, diskMib)) : Optional.empty();
  }

  /** What is asked for, within what is there. A minimum of 0 is none. */
  private record Bounds(long min, long max) {
    static Bounds of(@Nullable Range<? extends Number> asked, long available) {
      @Nullable Number min = asked == null ? null : asked.min();
      @Nullable Number max = asked == null ? null : asked.max();
      return new Bounds(
          min == null ? 0 : min.longValue(),
          max == null ? available : Math.min(max.longValue(), available));
    }

    /**
     * The target, at least what is needed and asked for, at most what there is.
     *
     * @param step amounts are multiples of it, unless a bound stands in the way
     */
    long choose(long target, long needed, long step, boolean balance) {
      if (!balance && min > 0) {
        return min;
      }
      long wanted = Math.max(Math.max(target, needed), min);
      long capped = Math.min((wanted + step - 1) / step * step, max);
      long even = capped / step * step;
      return even >= min && even >= needed && even > 0 ? even : capped;
    }

    boolean allow(long amount) {
      return amount >= min && amount <= max;
    }
  }
}
