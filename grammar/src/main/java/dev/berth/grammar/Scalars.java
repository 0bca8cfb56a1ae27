package dev.berth.grammar;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shapes of single values: text, whole numbers, numbers, booleans and closed choices. */
final class Scalars {
  private static final Pattern INTEGER = Pattern.compile("[+-]?(0|[1-9][0-9_]*)(\\.0+)?");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9][0-9_]*\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?");
  private static final List<String> TRUE_WORDS = List.of("true", "yes", "on", "t", "y", "1");
  private static final List<String> FALSE_WORDS = List.of("false", "no", "off", "f", "n", "0");

  static final Shape<String> TEXT = new TextShape();
  static final Shape<Boolean> BOOLEAN = new BooleanShape();

  private Scalars() {}

  static Shape<Integer> integer(int min, int max) {
    return new IntegerShape(min, max).mapped();
  }

  static Shape<Long> wholeNumber(long min, long max) {
    return new IntegerShape(min, max);
  }

  static Shape<Double> number(double min, boolean minExclusive, double max) {
    return new NumberShape(min, minExclusive, max);
  }

  static <E extends Enum<E>> Shape<E> choice(Class<E> type) {
    return choice(type, '-');
  }

  static <E extends Enum<E>> Shape<E> choice(Class<E> type, char joiner) {
    return Choice.of(type, joiner);
  }

  /** The word for an enum constant in files. */
  static String word(Enum<?> constant, char joiner) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', joiner);
  }

  static @Nullable String scalarText(Node node, Reading reading, Rule rule, String expected) {
    if (node instanceof Node.Scalar scalar) {
      return scalar.text();
    }
    reading.error(rule, node, "expected " + expected + ", found " + node.kindName());
    return null;
  }

  /**
   * A whole number as text, or null. Leading zeros are refused, because YAML 1.1 and 1.2 disagree
   * about them.
   */
  static @Nullable Long parseInteger(String text) {
    String trimmed = text.strip();
    if (!INTEGER.matcher(trimmed).matches()) {
      return null;
    }
    String digits = trimmed.replace("_", "").replaceFirst("\\.0+$", "");
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException tooLong) {
      return null;
    }
  }

  static @Nullable Double parseNumber(String text) {
    String trimmed = text.strip();
    return NUMBER.matcher(trimmed).matches() ? Double.valueOf(trimmed.replace("_", "")) : null;
  }

  static @Nullable Boolean parseBoolean(String text) {
    String folded = text.strip().toLowerCase(Locale.ROOT);
    return TRUE_WORDS.contains(folded)
        ? Boolean.TRUE
        : FALSE_WORDS.contains(folded) ? Boolean.FALSE : null;
  }

  private static final class TextShape implements Shape<String> {
    @Override
    public @Nullable String read(Node node, Reading reading) {
      if (node instanceof Node.Mapping mapping && mapping.entries().size() == 1) {
        reading.error(
            Rule.EXPECTED_TEXT,
            node,
            "expected text, found a mapping; put the whole line in quotes, because ': ' makes a"
                + " mapping of it");
        return null;
      }
      return scalarText(node, reading, Rule.EXPECTED_TEXT, "text");
    }

    @Override
    public Object write(String value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return Map.of("type", List.of("string", "number", "boolean"));
    }
  }

  private static final class BooleanShape implements Shape<Boolean> {
    @Override
    public @Nullable Boolean read(Node node, Reading reading) {
      String text = scalarText(node, reading, Rule.EXPECTED_BOOLEAN, "true or false");
      if (text == null) {
        return null;
      }
      Boolean value = parseBoolean(text);
      if (value == null) {
        reading.error(
            Rule.EXPECTED_BOOLEAN, node, "expected true or false, found " + node.kindName());
      }
      return value;
    }

    @Override
    public Object write(Boolean value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      List<Object> words = new ArrayList<>(List.of(true, false, 0, 1));
      for (String word : Stream.concat(TRUE_WORDS.stream(), FALSE_WORDS.stream()).toList()) {
        words.add(word);
        words.add(word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        words.add(word.toUpperCase(Locale.ROOT));
      }
      return Map.of("enum", words.stream().distinct().toList());
    }
  }

  private record IntegerShape(long min, long max) implements Shape<Long> {
    @Override
    public @Nullable Long read(Node node, Reading reading) {
      String text = scalarText(node, reading, Rule.EXPECTED_INTEGER, "a whole number");
      if (text == null) {
        return null;
      }
      Long value = parseInteger(text);
      if (value == null) {
        String hint = text.matches("[+-]?0[0-9]+") ? "; write it without leading zeros" : "";
        reading.error(
            Rule.EXPECTED_INTEGER,
            node,
            "expected a whole number, found " + node.kindName() + hint);
        return null;
      }
      if (value < min || value > max) {
        reading.error(Rule.NUMBER_BOUNDS, node, value + " is out of bounds; expected " + bounds());
        return null;
      }
      return value;
    }

    private String bounds() {
      if (max == Long.MAX_VALUE || max == Integer.MAX_VALUE) {
        return "at least " + min;
      }
      return min + " to " + max;
    }

    Shape<Integer> mapped() {
      return new IntShape(this);
    }

    @Override
    public Object write(Long value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> number = new LinkedHashMap<>(Map.of("type", "integer", "minimum", min));
      if (max != Long.MAX_VALUE) {
        number.put("maximum", max);
      }
      return SchemaBuilder.anyOf(
          List.of(number, SchemaBuilder.text("^\\s*" + INTEGER.pattern() + "\\s*$")));
    }
  }

  private record IntShape(IntegerShape whole) implements Shape<Integer> {
    @Override
    public @Nullable Integer read(Node node, Reading reading) {
      Long value = whole.read(node, reading);
      return value == null ? null : Math.toIntExact(value);
    }

    @Override
    public Object write(Integer value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return whole.schema(schemas);
    }
  }

  private static final double MOST_SHOWN = 1e12;

  private static String shown(double bound) {
    return bound == Math.rint(bound)
        ? String.valueOf((long) bound)
        : String.format(Locale.ROOT, "%.4f", bound);
  }

  private record NumberShape(double min, boolean minExclusive, double max)
      implements Shape<Double> {
    @Override
    public @Nullable Double read(Node node, Reading reading) {
      String text = scalarText(node, reading, Rule.EXPECTED_NUMBER, "a number");
      if (text == null) {
        return null;
      }
      Double value = parseNumber(text);
      if (value == null) {
        reading.error(Rule.EXPECTED_NUMBER, node, "expected a number, found " + node.kindName());
        return null;
      }
      if (value > max || (minExclusive ? value <= min : value < min)) {
        // A bound that nobody meets by accident only makes the sentence longer.
        String upper = max > MOST_SHOWN ? "" : " and at most " + shown(max);
        reading.error(
            Rule.NUMBER_BOUNDS,
            node,
            text.strip()
                + " is out of bounds; expected "
                + (minExclusive ? "more than " : "at least ")
                + shown(min)
                + upper);
        return null;
      }
      return value;
    }

    @Override
    public Object write(Double value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> number =
          new LinkedHashMap<>(
              Map.of("type", "number", minExclusive ? "exclusiveMinimum" : "minimum", min));
      if (max != Double.MAX_VALUE) {
        number.put("maximum", max);
      }
      return SchemaBuilder.anyOf(
          List.of(number, SchemaBuilder.text("^\\s*" + NUMBER.pattern() + "\\s*$")));
    }
  }
}
