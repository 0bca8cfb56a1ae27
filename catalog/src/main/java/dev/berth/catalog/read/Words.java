package dev.berth.catalog.read;

import java.util.HashMap;
import java.util.Map;

/** The words of one file: a catalog repeats its few a hundred thousand times. Single-threaded. */
final class Words {
  /** A hostile file has a new word in each row; remembering them would only cost. */
  static final int MOST = 100_000;

  private final Map<String, String> known = new HashMap<>();

  /** The same object for equal texts. */
  String shared(String text) {
    String earlier = known.get(text);
    if (earlier != null) {
      return earlier;
    }
    if (known.size() < MOST) {
      known.put(text, text);
    }
    return text;
  }
}
