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
        .filter(word -> distance(folded, fold(word)) <= allowed || sharesStart(folded, fold(word)))
        .min(
            Comparator.comparingInt((String word) -> distance(folded, fold(word)))
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

  /** Edits between two words, where swapping neighbours is one edit. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      edits[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      edits[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        edits[i][j] =
            Math.min(
                Math.min(edits[i - 1][j] + 1, edits[i][j - 1] + 1),
                edits[i - 1][j - 1] + substitution);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
