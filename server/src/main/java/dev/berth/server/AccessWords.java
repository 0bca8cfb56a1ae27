package dev.berth.server;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads the words of requests about users, projects and tokens. */
final class AccessWords {
  private AccessWords() {}

  /**
   * Refuses a name that is not one.
   *
   * @param characters what names take, for a sentence
   */
  static void requireName(Pattern pattern, String name, String characters) {
    if (!pattern.matcher(name).matches()) {
      throw ApiException.ofField(422, "field", "name", "it may contain " + characters);
    }
  }

  /** The constant that a word stands for. */
  static <E extends Enum<E>> E word(Class<E> type, String field, String word) {
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    int index = words.indexOf(word);
    if (index < 0) {
      throw ApiException.ofField(
          422, "field", field, "expected one of " + String.join(", ", words));
    }
    return type.getEnumConstants()[index];
  }
}
