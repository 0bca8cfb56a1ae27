package dev.berth.spi;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What must survive at the provider: whose a resource is, the key by which Berth knows it again,
 * and when it was asked for. Where the provider keeps tags, {@link #tags} are three of them; where
 * it keeps nothing but a name, {@link MarkCodec} writes all three into that.
 *
 * @param owner the installation that it belongs to
 * @param key at most {@link #LONGEST_KEY} characters of {@code a-z}, {@code 0-9} and {@code -};
 *     never given to another resource. Never cut, changed or hashed: what carries a key that Berth
 *     does not know is swept
 * @param seq the number of the event that asked for it; one that is newer than the ledger shows
 *     that the ledger was set back
 */
public record Marks(Owner owner, String key, long seq) {
  /** No key is longer. Those of today have up to about 45 characters. */
  public static final int LONGEST_KEY = 64;

  /** The tags that hold the marks, where there are tags. */
  public static final String OWNER = "berth-owner";

  public static final String KEY = "berth-key";
  public static final String SEQ = "berth-seq";

  private static final Pattern KEYS = Pattern.compile("[a-z0-9-]{1," + LONGEST_KEY + "}");
  private static final Pattern NUMBERS = Pattern.compile("0|[1-9][0-9]{0,18}");

  public Marks {
    if (!isKey(key)) {
      throw new IllegalArgumentException(
          "a key has at most %d letters of a-z, 0-9 and -, not \"%s\"".formatted(LONGEST_KEY, key));
    }
    if (seq < 0) {
      throw new IllegalArgumentException("a sequence is not negative: " + seq);
    }
  }

  /** Whether a text can be a key. */
  static boolean isKey(String text) {
    return KEYS.matcher(text).matches();
  }

  /** As three tags. */
  public Map<String, String> tags() {
    return Map.of(OWNER, owner.installation(), KEY, key, SEQ, Long.toString(seq));
  }

  /** Those that stand in tags; empty where they are not whole, or somebody else wrote them. */
  public static Optional<Marks> in(Map<String, String> tags) {
    String owner = tags.getOrDefault(OWNER, "");
    String key = tags.getOrDefault(KEY, "");
    String seq = tags.getOrDefault(SEQ, "");
    if (owner.isBlank() || !isKey(key) || !NUMBERS.matcher(seq).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Marks(new Owner(owner), key, Long.parseLong(seq)));
    } catch (NumberFormatException e) {
      // Nineteen digits may still be too many.
      return Optional.empty();
    }
  }
}
