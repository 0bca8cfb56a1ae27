package dev.berth.catalog.read;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one accelerator, corrected by what is known of its model.
 *
 * @param repair what was corrected, a sentence; null where the stated figure stands
 */
record MemoryRepair(long memoryMib, @Nullable String repair) {
  private static final long GIB = 1024;

  /** Drivers and firmware keep some memory, so that machines report less than is sold. */
  private static final int TOLERATED_PERCENT = 7;

  /**
   * Corrects a figure. A figure that facts do not explain stays, for it may be a slice of an
   * accelerator.
   *
   * @param knownGib the sizes in which the model is sold
   * @param statedMib 0 where the row does not say
   * @param statedTotalMib what the row says of all accelerators together, or 0
   */
  static MemoryRepair of(List<Integer> knownGib, long statedMib, long statedTotalMib, int count) {
    if (statedMib <= 0) {
      return knownGib.size() == 1
          ? repaired(knownGib.getFirst() * GIB, "not stated")
          : new MemoryRepair(0, null);
    }
    // No accelerator that is for hire has less than 1 GiB: the figure is in GiB.
    boolean inGib = statedMib < GIB;
    long memory = inGib ? statedMib * GIB : statedMib;
    OptionalLong one = nearest(knownGib, memory);
    if (one.isPresent()) {
      if (one.getAsLong() == statedMib) {
        return new MemoryRepair(statedMib, null);
      }
      return repaired(
          one.getAsLong(), inGib ? statedMib + " GiB stated as MiB" : statedMib + " MiB stated");
    }
    OptionalLong share = count > 1 ? nearest(knownGib, memory / count) : OptionalLong.empty();
    if (share.isPresent()) {
      return repaired(share.getAsLong(), memory + " MiB of all " + count + " stated as of one");
    }
    boolean tooLarge =
        knownGib.stream().allMatch(known -> memory > known * GIB) && !knownGib.isEmpty();
    if (count > 1 && tooLarge && statedMib == statedTotalMib) {
      return repaired(memory / count, memory + " MiB of all " + count + " stated as of one");
    }
    return inGib
        ? repaired(memory, statedMib + " GiB stated as MiB")
        : new MemoryRepair(memory, null);
  }

  static OptionalLong nearest(List<Integer> knownGib, long memoryMib) {
    OptionalLong best = OptionalLong.empty();
    for (int gib : knownGib) {
      long known = gib * GIB;
      long off = Math.abs(known - memoryMib);
      boolean near = off * 100 < known * TOLERATED_PERCENT;
      if (near && (best.isEmpty() || off < Math.abs(best.getAsLong() - memoryMib))) {
        best = OptionalLong.of(known);
      }
    }
    return best;
  }

  private static MemoryRepair repaired(long memoryMib, String found) {
    return new MemoryRepair(memoryMib, "accelerator memory set to " + memoryMib + " MiB, " + found);
  }
}
