package dev.berth.ledger;

import java.util.Comparator;

/** What a row is about: a kind such as {@code run}, and an id that is unique within the kind. */
public record EntityKey(String kind, String id) implements Comparable<EntityKey> {
  private static final Comparator<EntityKey> ORDER =
      Comparator.comparing(EntityKey::kind).thenComparing(EntityKey::id);

  public EntityKey {
    kind = StorableText.identifier("kind", kind);
    id = StorableText.identifier("id", id);
  }

  @Override
  public int compareTo(EntityKey other) {
    return ORDER.compare(this, other);
  }
}
