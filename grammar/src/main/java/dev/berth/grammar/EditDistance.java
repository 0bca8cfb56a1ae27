package dev.berth.grammar;

/** The Damerau-Levenshtein distance between words, for "did you mean" suggestions. */
public final class EditDistance {
  private EditDistance() {}

  /**
   * Counts the characters to insert, delete, replace, or swap with a neighbour to get from one word
   * to the other.
   */
  public static int between(String a, String b) {
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
