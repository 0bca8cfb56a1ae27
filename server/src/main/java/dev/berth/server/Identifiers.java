package dev.berth.server;

import dev.berth.ledger.EntityKey;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells words of paths that may be ids from those that nothing could have been given. */
final class Identifiers {
  private static final Pattern FORM = Pattern.compile("[!-~]{1,500}");

  private Identifiers() {}

  /** The key of what a word may be the id of. */
  static Optional<EntityKey> key(String kind, String word) {
    return FORM.matcher(word).matches() ? Optional.of(new EntityKey(kind, word)) : Optional.empty();
  }
}
