package dev.berth.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keys in as few bits as possible. Those that the server makes are an id, which is a letter, a time
 * and chance, and then parts of a letter, a small number or both: {@code r0k2…-0-3-1-m}. Anything
 * else takes five bits a letter.
 */
final class PackedKey {
  /** A key as large as usual ones get: all of a try's machine, on the last of many nodes. */
  static final String LARGE = "z01" + "z".repeat(17) + "-0-63-63-m";

  private static final String ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final Pattern MADE =
      Pattern.compile("([a-z])([%1$s]{13})([%1$s]{6})((?:-.+)?)".formatted(ID_DIGITS));
  private static final Pattern PART = Pattern.compile("([a-z]?)(0|[1-9][0-9]{0,8}|)");
  private static final String LETTERS = "-0123456789abcdefghijklmnopqrstuvwxyz";

  /** Times of ids stay below this for 500 years. */
  private static final long TIMES = 1L << 56;

  private static final long CHANCES = 1L << 30;
  private static final int ALPHABET = 26;

  /** What follows next in an id's parts. */
  private static final int END = 0;

  private static final int NUMBER = 1;
  private static final int LETTER = 2;
  private static final int KINDS = 3;

  /** Numbers are written by two bits at a time, each with one that says whether more follow. */
  private static final int PIECE = 4;

  private PackedKey() {}

  /** Puts a key on the stack, the beginning on top. */
  static void push(String key, MixedRadix to) {
    Matcher made = MADE.matcher(key);
    List<Matcher> parts = made.matches() ? parts(made.group(4)) : null;
    long time = parts == null ? TIMES : number(made.group(2));
    if (parts == null || time < 0 || time >= TIMES) {
      pushLetters(key, to);
      to.push(0, 2);
      return;
    }
    to.push(END, KINDS);
    for (Matcher part : parts.reversed()) {
      pushPart(part.group(1), part.group(2), to);
    }
    to.push(number(made.group(3)), CHANCES);
    to.push(time, TIMES);
    to.push(made.group(1).charAt(0) - 'a', ALPHABET);
    to.push(1, 2);
  }

  /** Takes a key off the stack; empty where none was put there. */
  static Optional<String> pop(MixedRadix from) {
    if (from.pop(2) == 0) {
      return popLetters(from);
    }
    StringBuilder key = new StringBuilder().append((char) ('a' + from.pop(ALPHABET)));
    long time = from.pop(TIMES);
    key.append(digits(time, 13)).append(digits(from.pop(CHANCES), 6));
    for (long kind = from.pop(KINDS); kind != END; kind = from.pop(KINDS)) {
      key.append('-');
      if (kind == LETTER) {
        key.append((char) ('a' + from.pop(ALPHABET)));
        long number = popNumber(from);
        key.append(number == 0 ? "" : Long.toString(number - 1));
      } else {
        key.append(popNumber(from));
      }
      if (key.length() > Marks.LONGEST_KEY) {
        return Optional.empty();
      }
    }
    return Optional.of(key.toString());
  }

  /** The parts behind an id; null where they are none that the server makes. */
  private static @Nullable List<Matcher> parts(String tail) {
    List<Matcher> parts = new ArrayList<>();
    if (!tail.isEmpty()) {
      for (String word : tail.substring(1).split("-", -1)) {
        Matcher part = PART.matcher(word);
        if (word.isEmpty() || !part.matches()) {
          return null;
        }
        parts.add(part);
      }
    }
    return parts;
  }

  private static void pushPart(String letter, String number, MixedRadix to) {
    if (letter.isEmpty()) {
      pushNumber(Long.parseLong(number), to);
      to.push(NUMBER, KINDS);
    } else {
      pushNumber(number.isEmpty() ? 0 : Long.parseLong(number) + 1, to);
      to.push(letter.charAt(0) - 'a', ALPHABET);
      to.push(LETTER, KINDS);
    }
  }

  private static void pushNumber(long number, MixedRadix to) {
    long rest = number;
    int more = 0;
    do {
      to.push(rest % PIECE, PIECE);
      to.push(more, 2);
      rest /= PIECE;
      more = 1;
    } while (rest > 0);
  }

  private static long popNumber(MixedRadix from) {
    long number = 0;
    boolean more = true;
    while (more && number < Integer.MAX_VALUE) {
      more = from.pop(2) == 1;
      number = number * PIECE + from.pop(PIECE);
    }
    return number;
  }

  private static void pushLetters(String key, MixedRadix to) {
    // Zero ends it.
    to.push(0, LETTERS.length() + 1L);
    for (int i = key.length() - 1; i >= 0; i--) {
      to.push(LETTERS.indexOf(key.charAt(i)) + 1L, LETTERS.length() + 1L);
    }
  }

  private static Optional<String> popLetters(MixedRadix from) {
    StringBuilder key = new StringBuilder();
    for (int letter = popLetter(from); letter > 0; letter = popLetter(from)) {
      key.append(LETTERS.charAt(letter - 1));
      if (key.length() > Marks.LONGEST_KEY) {
        return Optional.empty();
      }
    }
    return Optional.of(key.toString());
  }

  private static int popLetter(MixedRadix from) {
    return (int) from.pop(LETTERS.length() + 1L);
  }

  /** Negative where it is above what fits. */
  private static long number(String digits) {
    long number = 0;
    for (char digit : digits.toCharArray()) {
      if (number >= TIMES) {
        return -1;
      }
      number = number << 5 | ID_DIGITS.indexOf(digit);
    }
    return number;
  }

  private static String digits(long number, int count) {
    StringBuilder digits = new StringBuilder();
    for (int shift = 5 * (count - 1); shift >= 0; shift -= 5) {
      digits.append(ID_DIGITS.charAt((int) (number >>> shift) & 31));
    }
    return digits.toString();
  }
}
