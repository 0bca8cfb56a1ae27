package dev.berth.ledger;

/**
 * The content of a row: JSON text and the version of its shape.
 *
 * <p>The ledger neither parses nor changes it, so fields of newer programs survive older ones.
 */
public record Body(int version, String json) {
  public Body {
    if (version < 1) {
      throw new IllegalArgumentException("a body's version starts at 1, not " + version);
    }
    if (json.isEmpty()) {
      throw new IllegalArgumentException("a body is empty");
    }
    json = StorableText.exact("a body", json);
  }
}
