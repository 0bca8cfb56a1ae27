package dev.berth.catalog.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The entries of a dictionary that a question leaves. Filled by one thread, then only read. */
final class Chosen {
  /** 1 for each entry that is chosen; bytes can be added and combined without a branch. */
  final byte[] mask;

  /** The chosen entries; null where all of them are. */
  private final int @Nullable [] ids;

  private int size;

  Chosen(int universe) {
    this.mask = new byte[universe];
    this.ids = new int[universe];
  }

  private Chosen(byte[] mask) {
    this.mask = mask;
    this.ids = null;
    this.size = mask.length;
  }

  static Chosen everything(int universe) {
    byte[] mask = new byte[universe];
    Arrays.fill(mask, (byte) 1);
    return new Chosen(mask);
  }

  void add(int id) {
    if (ids == null) {
      throw new IllegalStateException("all entries are chosen already");
    }
    mask[id] = 1;
    ids[size++] = id;
  }

  int size() {
    return size;
  }

  int id(int index) {
    return ids == null ? index : ids[index];
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean isEverything() {
    return size == mask.length;
  }
}
