package dev.berth.catalog.index;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a snapshot, each with a number. They are sorted without regard to case, so that all
 * spellings of a word have neighbouring numbers.
 */
final class Words {
  /** The number that stands for no text. */
  static final int NONE = -1;

  static final Comparator<String> ORDER =
      Comparator.comparing(Words::folded).thenComparing(Comparator.naturalOrder());

  private final String[] texts;

  /** The texts in lower case; the same objects where they are so already. */
  private final String[] folded;

  /** Takes texts in their order. */
  Words(String[] texts) {
    this.texts = texts;
    this.folded = Arrays.stream(texts).map(Words::folded).toArray(String[]::new);
  }

  static Words of(Collection<String> texts) {
    return new Words(texts.stream().distinct().sorted(ORDER).toArray(String[]::new));
  }

  static String folded(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  int size() {
    return texts.length;
  }

  List<String> texts() {
    return List.of(texts);
  }

  String text(int id) {
    return texts[id];
  }

  String foldedText(int id) {
    return folded[id];
  }

  @Nullable String textOrNull(int id) {
    return id == NONE ? null : texts[id];
  }

  /** The numbers of all texts that are one of these words, which are in lower case. */
  BitSet matching(Collection<String> wanted) {
    BitSet found = new BitSet(texts.length);
    for (String word : wanted) {
      for (int id = firstNotBelow(word); id < folded.length && folded[id].equals(word); id++) {
        found.set(id);
      }
    }
    return found;
  }

  private int firstNotBelow(String key) {
    int low = 0;
    int high = texts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (folded[middle].compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
