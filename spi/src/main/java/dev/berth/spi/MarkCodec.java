package dev.berth.spi;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes {@link Marks} into one name, for providers that keep nothing else, and reads them again.
 *
 * <p>A name begins with a letter, where the provider has letters, and says: a check of 28 bits over
 * the marks and the owner, the sequence, and the key, which is never cut or hashed. If it fits, the
 * key stands at the end as it is, so that people find it; else it is packed. Whoever reads names
 * the owner: names that another installation or somebody else wrote are no names of that owner, but
 * for one of 268 million.
 */
public final class MarkCodec {
  /** The letters of most providers' names. */
  public static final String LOWER_CASE = "abcdefghijklmnopqrstuvwxyz0123456789-";

  /** The same with upper case, for providers that tell it apart. */
  public static final String MIXED_CASE = LOWER_CASE + "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  private static final char DASH = '-';
  private static final long CHECK = 1L << 28;

  /** What every codec has room for: a large key of an attempt's machine, and a large ledger. */
  private static final Marks LARGE =
      new Marks(new Owner("-"), PackedKey.LARGE, (1L << Integer.SIZE) - 1);

  private final int length;
  private final boolean hasDash;
  private final String digits;

  /** The digits that a name may begin with. */
  private final String first;

  /**
   * For names of a provider.
   *
   * @param length how long they may be, in characters
   * @param letters those that they may have. Used are letters and digits of ASCII and the dash;
   *     upper and lower case only where the provider tells them apart
   * @throws IllegalArgumentException where such names are too short for marks
   */
  public MarkCodec(int length, String letters) {
    this.length = length;
    this.hasDash = letters.indexOf(DASH) >= 0;
    String alphabetic = distinct(letters, "[^A-Za-z]");
    this.digits = alphabetic + distinct(letters, "[^0-9]");
    this.first = alphabetic.isEmpty() ? digits : alphabetic;
    if (digits.length() < 2) {
      throw new IllegalArgumentException(
          "names of the letters \"%s\" hold no marks: let at least two letters or digits be used"
              .formatted(letters));
    }
    int needed = packed(LARGE).length();
    if (length < needed) {
      throw new IllegalArgumentException(
          ("names of %d characters out of %d letters and digits are too short for marks, which need"
                  + " %d: use a field of the provider that is longer, or allow more letters")
              .formatted(length, digits.length(), needed));
    }
  }

  private static String distinct(String letters, String others) {
    return letters
        .replaceAll(others, "")
        .chars()
        .distinct()
        .sorted()
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /**
   * The name that says these marks; always the same.
   *
   * @throws BackendException.Permanent where it would be too long: never for keys that Berth makes
   *     today for up to 63 tries of runs of 63 nodes, and ledgers of up to four thousand million
   *     events. Those of scheduled runs are longer; the shortest names hold them in ledgers of some
   *     ten million events, and names of 63 characters hold all keys of today
   */
  public String write(Marks marks) {
    String name = name(marks);
    if (name.length() > length) {
      throw new BackendException.Permanent(
          "the key \"%s\" with the sequence %d does not fit into a name of %d characters"
              .formatted(marks.key(), marks.seq(), length),
          null);
    }
    return name;
  }

  /** The marks that a name says, where it is one of this owner; empty for all other names. */
  public Optional<Marks> read(String name, Owner owner) {
    if (name.isEmpty() || name.length() > length) {
      return Optional.empty();
    }
    int dash = name.indexOf(DASH);
    BigInteger head = number(dash < 0 ? name : name.substring(0, dash)).orElse(null);
    if (head == null) {
      return Optional.empty();
    }
    MixedRadix rest = new MixedRadix(head);
    rest.pop(CHECK);
    Optional<String> key = dash < 0 ? PackedKey.pop(rest) : Optional.of(name.substring(dash + 1));
    return key.filter(Marks::isKey)
        .filter(_ -> rest.value().bitLength() < Long.SIZE)
        .map(known -> new Marks(owner, known, rest.value().longValueExact()))
        // There is one name for marks of an owner: this compares the check, too.
        .filter(marks -> name(marks).equals(name));
  }

  private String name(Marks marks) {
    return readable(marks).orElseGet(() -> packed(marks));
  }

  /** Empty where the key has letters that names have not, or does not fit as it is. */
  private Optional<String> readable(Marks marks) {
    MixedRadix head = new MixedRadix(BigInteger.valueOf(marks.seq()));
    head.push(check(marks), CHECK);
    String name = digits(head.value()) + DASH + marks.key();
    return Optional.of(name)
        .filter(_ -> name.length() <= length && hasDash)
        .filter(_ -> marks.key().chars().allMatch(this::isUsed));
  }

  private boolean isUsed(int letter) {
    return letter == DASH || digits.indexOf(letter) >= 0;
  }

  private String packed(Marks marks) {
    MixedRadix all = new MixedRadix(BigInteger.valueOf(marks.seq()));
    PackedKey.push(marks.key(), all);
    all.push(check(marks), CHECK);
    return digits(all.value());
  }

  private static long check(Marks marks) {
    String said = marks.owner().installation() + "\n" + marks.key() + "\n" + marks.seq();
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(said.getBytes(StandardCharsets.UTF_8));
      return new BigInteger(1, hash).mod(BigInteger.valueOf(CHECK)).longValueExact();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private String digits(BigInteger number) {
    BigInteger base = BigInteger.valueOf(digits.length());
    StringBuilder written = new StringBuilder();
    BigInteger rest = number;
    while (rest.compareTo(BigInteger.valueOf(first.length())) >= 0) {
      BigInteger[] divided = rest.divideAndRemainder(base);
      written.append(digits.charAt(divided[1].intValue()));
      rest = divided[0];
    }
    return written.append(first.charAt(rest.intValue())).reverse().toString();
  }

  private Optional<BigInteger> number(String written) {
    BigInteger base = BigInteger.valueOf(digits.length());
    BigInteger number = BigInteger.ZERO;
    for (char digit : written.toCharArray()) {
      int value = digits.indexOf(digit);
      if (value < 0) {
        return Optional.empty();
      }
      number = number.multiply(base).add(BigInteger.valueOf(value));
    }
    return Optional.of(number);
  }
}
