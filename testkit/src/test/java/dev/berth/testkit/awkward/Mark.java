package dev.berth.testkit.awkward;

/**
 * What must survive at a provider that keeps nothing but one label: whose a thing is, its key, and
 * the number of the event that asked for it.
 *
 * @param owner the fingerprint of an owner, see {@link MarkCodec#fingerprint}
 */
record Mark(String owner, String key, long seq) {
  Mark {
    if (key.isEmpty() || seq < 0) {
      throw new IllegalArgumentException("a mark has a key, and a number that is not negative");
    }
  }
}
