package dev.berth.grammar;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of the constants of an enum, by its word; some do not mind upper case and know aliases. */
final class Choice<E extends Enum<E>> implements Shape<E> {
  private final Map<String, E> words = new LinkedHashMap<>();
  private final char joiner;
  private final boolean anyCase;

  private Choice(Class<E> type, char joiner, boolean anyCase, Map<String, E> aliases) {
    this.joiner = joiner;
    this.anyCase = anyCase;
    for (E constant : type.getEnumConstants()) {
      words.put(Scalars.word(constant, joiner), constant);
    }
    words.putAll(new TreeMap<>(aliases));
  }

  static <E extends Enum<E>> Choice<E> of(Class<E> type, char joiner) {
    return new Choice<>(type, joiner, false, Map.of());
  }

  static <E extends Enum<E>> Choice<E> withAliases(Class<E> type, Map<String, E> aliases) {
    return new Choice<>(type, '-', false, aliases);
  }

  static <E extends Enum<E>> Choice<E> ofAnyCase(Class<E> type, Map<String, E> aliases) {
    return new Choice<>(type, '-', true, aliases);
  }

  @Nullable E find(String text) {
    return words.get(anyCase ? text.toLowerCase(Locale.ROOT) : text);
  }

  @Override
  public @Nullable E read(Node node, Reading reading) {
    String expected = Text.alternatives(words.keySet());
    String text = Scalars.scalarText(node, reading, Rule.EXPECTED_CHOICE, expected);
    if (text == null) {
      return null;
    }
    E constant = find(text);
    if (constant == null) {
      reading.error(
          Rule.EXPECTED_CHOICE,
          node,
          "expected "
              + expected
              + ", found "
              + node.kindName()
              + Text.didYouMean(text, words.keySet()));
    }
    return constant;
  }

  @Override
  public Object write(E value) {
    return Scalars.word(value, joiner);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    if (!anyCase) {
      return Map.of("enum", List.copyOf(words.keySet()));
    }
    return SchemaBuilder.text(
        words.keySet().stream()
            .map(Choice::inAnyCase)
            .collect(Collectors.joining("|", "^(?:", ")$")));
  }

  private static String inAnyCase(String word) {
    StringBuilder pattern = new StringBuilder();
    for (char c : word.toCharArray()) {
      pattern.append(
          Character.isLetter(c) ? "[" + c + Character.toUpperCase(c) + "]" : String.valueOf(c));
    }
    return pattern.toString();
  }
}
