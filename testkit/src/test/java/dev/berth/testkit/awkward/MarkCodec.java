package dev.berth.testkit.awkward;

import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * Writes marks into labels of a limited length and reads them again. A label is the owner's
 * fingerprint, the sequence in base 62, a separator and the key: as it is behind {@code -}, or
 * behind {@code .} packed into fewer letters where it would not fit. A key is never cut or hashed,
 * because lists must give it back: what carries an unknown key would be deleted as a stranger's.
 */
record MarkCodec(int length) {
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String KEY_LETTERS = "-0123456789abcdefghijklmnopqrstuvwxyz";
  private static final int FINGERPRINT = 5;
  private static final char AS_IT_IS = '-';
  private static final char PACKED = '.';
  private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());

  /** One more than there are letters, so that no key begins with a zero. */
  private static final BigInteger KEY_BASE = BigInteger.valueOf(KEY_LETTERS.length() + 1L);

  /** Five letters out of an owner: two of a billion installations share them. */
  static String fingerprint(Owner owner) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(owner.installation().getBytes(StandardCharsets.UTF_8));
      String digits = "0".repeat(FINGERPRINT) + digits(new BigInteger(1, hash));
      return digits.substring(digits.length() - FINGERPRINT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The label of a mark.
   *
   * @throws BackendException.Permanent where the key has other letters than {@code a-z0-9-}, or is
   *     too long
   */
  String write(Mark mark) {
    String key = mark.key();
    if (!key.chars().allMatch(letter -> KEY_LETTERS.indexOf(letter) >= 0)) {
      throw new BackendException.Permanent(
          "the key \"%s\" has letters other than a-z, 0-9 and -".formatted(key), null);
    }
    String head = mark.owner() + digits(BigInteger.valueOf(mark.seq()));
    String label = head + AS_IT_IS + key;
    if (label.length() > length) {
      label = head + PACKED + packed(key);
    }
    if (label.length() > length) {
      throw new BackendException.Permanent(
          "the key \"%s\" does not fit into a label of %d characters".formatted(key, length), null);
    }
    return label;
  }

  /** The mark in a label; empty for a label that somebody else wrote. */
  Optional<Mark> read(String label) {
    int separator = FINGERPRINT;
    while (separator < label.length() && DIGITS.indexOf(label.charAt(separator)) >= 0) {
      separator++;
    }
    if (separator == FINGERPRINT || separator >= label.length() - 1) {
      return Optional.empty();
    }
    String owner = label.substring(0, FINGERPRINT);
    String tail = label.substring(separator + 1);
    BigInteger seq = number(label.substring(FINGERPRINT, separator));
    if (!isDigits(owner) || seq.bitLength() >= Long.SIZE) {
      return Optional.empty();
    }
    return (switch (label.charAt(separator)) {
          case AS_IT_IS -> Optional.of(tail);
          case PACKED -> isDigits(tail) ? unpacked(tail) : Optional.<String>empty();
          default -> Optional.<String>empty();
        })
        .map(key -> new Mark(owner, key, seq.longValueExact()));
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(letter -> DIGITS.indexOf(letter) >= 0);
  }

  private static String digits(BigInteger number) {
    StringBuilder digits = new StringBuilder();
    BigInteger rest = number;
    do {
      BigInteger[] divided = rest.divideAndRemainder(BASE);
      digits.append(DIGITS.charAt(divided[1].intValue()));
      rest = divided[0];
    } while (rest.signum() > 0);
    return digits.reverse().toString();
  }

  private static BigInteger number(String digits) {
    BigInteger number = BigInteger.ZERO;
    for (char digit : digits.toCharArray()) {
      number = number.multiply(BASE).add(BigInteger.valueOf(DIGITS.indexOf(digit)));
    }
    return number;
  }

  private static String packed(String key) {
    BigInteger number = BigInteger.ZERO;
    for (char letter : key.toCharArray()) {
      number = number.multiply(KEY_BASE).add(BigInteger.valueOf(KEY_LETTERS.indexOf(letter) + 1L));
    }
    return digits(number);
  }

  private static Optional<String> unpacked(String digits) {
    StringBuilder key = new StringBuilder();
    BigInteger rest = number(digits);
    while (rest.signum() > 0) {
      BigInteger[] divided = rest.divideAndRemainder(KEY_BASE);
      int letter = divided[1].intValue() - 1;
      if (letter < 0) {
        return Optional.empty();
      }
      key.append(KEY_LETTERS.charAt(letter));
      rest = divided[0];
    }
    return key.isEmpty() ? Optional.empty() : Optional.of(key.reverse().toString());
  }
}
