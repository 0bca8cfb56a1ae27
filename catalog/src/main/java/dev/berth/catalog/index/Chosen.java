package dev.berth.catalog.index;

/** The entries of a dictionary that a filter lets through. Filled by one thread, then only read. */
final class Chosen {
  /** 1 for each entry that is chosen; bytes can be added and combined without a branch. */
  final byte[] mask;

  private final int[] ids;
  private int size;

  Chosen(int universe) {
    this.mask = new byte[universe];
    this.ids = new int[universe];
  }

  void add(int id) {
    mask[id] = 1;
    ids[size++] = id;
  }

  int size() {
    return size;
  }

  int id(int index) {
    return ids[index];
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean isEverything() {
    return size == mask.length;
  }
}
