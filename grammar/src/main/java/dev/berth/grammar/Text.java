package dev.berth.grammar;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** How messages quote and compare words. */
final class Text {
  private static final int LONGEST_QUOTE = 60;
  private static final int LONGEST_COMPARED = 64;

  private Text() {}

  /** Shortens and flattens what a user wrote, so that a message stays one readable line. */
  static String abbreviate(String text) {
    StringBuilder flat = new StringBuilder();
    int shown = Math.min(text.length(), LONGEST_QUOTE);
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      flat.append(Character.isISOControl(c) || Character.isSurrogate(c) ? ' ' : c);
    }
    return text.length() > LONGEST_QUOTE ? flat + "..." : flat.toString();
  }

  /** The known word that the written one most likely stands for. */
  static Optional<String> closest(String written, Collection<String> known) {
    if (written.length() > LONGEST_COMPARED) {
      return Optional.empty();
    }
    String folded = fold(written);
    int allowed = Math.max(1, Math.min(3, folded.length() / 3));
    return known.stream()
        .filter(
            word ->
                EditDistance.between(folded, fold(word)) <= allowed
                    || sharesStart(folded, fold(word)))
        .min(
            Comparator.comparingInt((String word) -> EditDistance.between(folded, fold(word)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Whether one word is the beginning of the other, such as retry and retries but for the ending.
   */
  private static boolean sharesStart(String a, String b) {
    int start = Math.min(a.length(), b.length()) - 1;
    return start >= 4 && a.regionMatches(0, b, 0, start) && Math.abs(a.length() - b.length()) <= 3;
  }

  static String didYouMean(String written, Collection<String> known) {
    return closest(written, known).map(word -> "; did you mean '" + word + "'?").orElse("");
  }

  /** {@code a, b or c}. */
  static String alternatives(Collection<String> words) {
    StringBuilder sentence = new StringBuilder();
    int left = words.size();
    for (String word : words) {
      sentence.append(word);
      left--;
      sentence.append(left == 0 ? "" : left == 1 ? " or " : ", ");
    }
    return sentence.toString();
  }

  private static String fold(String word) {
    return word.toLowerCase(Locale.ROOT).replace('-', '_');
  }
}
