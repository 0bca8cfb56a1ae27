package dev.berth.grammar;

import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A range: {@code 4}, {@code 2..8}, {@code 2..}, {@code ..8}, or a mapping of min and max. */
record RangeShape<T extends Comparable<T>>(Bound<T> bound) implements Shape<Range<T>> {
  /** How one end of a range is spelled. */
  interface Bound<T> {
    /** The value, or null where the text is none. */
    @Nullable T parse(String text, Reading reading);

    Object write(T value);

    /** The value as a person would write it. */
    default String display(T value) {
      return String.valueOf(write(value));
    }

    String expected();

    String syntax();

    Map<String, Object> numberSchema();
  }

  static final RangeShape<Integer> COUNT = upTo(Integer.MAX_VALUE);
  static final RangeShape<Size> SIZE = new RangeShape<>(new SizeBound());

  /** Whole numbers up to a limit, which stands in the message for larger ones. */
  static RangeShape<Integer> upTo(int most) {
    return new RangeShape<>(new CountBound(most));
  }

  @Override
  public @Nullable Range<T> read(Node node, Reading reading) {
    return switch (node) {
      case Node.Scalar scalar -> parse(scalar.text(), node, reading);
      case Node.Mapping mapping -> readBounds(mapping, reading);
      case Node.Sequence _ -> {
        reading.error(Rule.RANGE_SYNTAX, node, "expected " + bound.expected() + ", found a list");
        yield null;
      }
    };
  }

  /** Reads the one-line form; also used where a range is part of a longer word. */
  @Nullable Range<T> parse(String text, Node node, Reading reading) {
    String compact = text.replace(" ", "");
    int dots = compact.indexOf("..");
    if (dots < 0) {
      T value = bound(compact, node, reading);
      return value == null ? null : Range.exactly(value);
    }
    String lower = compact.substring(0, dots);
    String upper = compact.substring(dots + 2);
    if (lower.isEmpty() && upper.isEmpty()) {
      reading.error(
          Rule.RANGE_EMPTY,
          node,
          "the range '..' has no bound; write at least one, such as 2.. or ..8");
      return null;
    }
    T min = lower.isEmpty() ? null : bound(lower, node, reading);
    T max = upper.isEmpty() ? null : bound(upper, node, reading);
    if ((min == null && !lower.isEmpty()) || (max == null && !upper.isEmpty())) {
      return null;
    }
    return ordered(min, max, node, reading);
  }

  private @Nullable Range<T> readBounds(Node.Mapping mapping, Reading reading) {
    int errorsBefore = reading.errorCount();
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              if (!name.equals("min") && !name.equals("max")) {
                reading
                    .field(name)
                    .error(
                        Rule.FIELD_UNKNOWN,
                        entry.keyPosition(),
                        "a range has only 'min' and 'max'"
                            + Text.didYouMean(name, List.of("min", "max")));
              }
            });
    T min = endOf("min", mapping, reading);
    T max = endOf("max", mapping, reading);
    if (reading.errorCount() > errorsBefore) {
      return null;
    }
    if (min == null && max == null) {
      reading.error(
          Rule.RANGE_EMPTY, mapping, "the range has no bound; write 'min', 'max' or both");
      return null;
    }
    return ordered(min, max, mapping, reading);
  }

  private @Nullable T endOf(String name, Node.Mapping mapping, Reading reading) {
    Node.Mapping.Entry entry = mapping.entries().get(name);
    if (entry == null || entry.value().isAbsent()) {
      return null;
    }
    Reading at = reading.field(name);
    String text = Scalars.scalarText(entry.value(), at, Rule.RANGE_SYNTAX, "one value");
    return text == null ? null : bound(text, entry.value(), at);
  }

  private @Nullable T bound(String text, Node node, Reading reading) {
    T value = bound.parse(text, reading);
    if (value == null) {
      reading.error(
          Rule.RANGE_SYNTAX, node, "expected " + bound.expected() + ", found " + node.kindName());
    }
    return value;
  }

  private @Nullable Range<T> ordered(@Nullable T min, @Nullable T max, Node node, Reading reading) {
    if (min != null && max != null && min.compareTo(max) > 0) {
      reading.error(
          Rule.RANGE_ORDER,
          node,
          "the lower bound "
              + bound.display(min)
              + " is above the upper bound "
              + bound.display(max));
      return null;
    }
    return new Range<>(min, max);
  }

  @Override
  public Object write(Range<T> value) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    T min = value.min();
    T max = value.max();
    written.put("min", min == null ? null : bound.write(min));
    written.put("max", max == null ? null : bound.write(max));
    return written;
  }

  /** The text form as a regular expression; spaces may stand anywhere around the parts. */
  String syntax() {
    return "\\s*("
        + bound.syntax()
        + "|("
        + bound.syntax()
        + ")?\\s*\\.\\.\\s*("
        + bound.syntax()
        + ")?)\\s*";
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    List<Map<String, Object>> ends =
        List.of(
            bound.numberSchema(),
            SchemaBuilder.text("^\\s*" + bound.syntax() + "\\s*$"),
            Map.of("type", "null"));
    List<Map<String, Object>> forms = new ArrayList<>(lineForms());
    forms.add(
        Map.of(
            "type",
            "object",
            "properties",
            Map.of("min", SchemaBuilder.anyOf(ends), "max", SchemaBuilder.anyOf(ends)),
            "additionalProperties",
            false,
            "minProperties",
            1));
    return SchemaBuilder.anyOf(forms);
  }

  /** The schema of the forms in one word, without the mapping. */
  Map<String, Object> lineSchema() {
    return SchemaBuilder.anyOf(lineForms());
  }

  private List<Map<String, Object>> lineForms() {
    return List.of(
        bound.numberSchema(),
        Map.of(
            "type",
            "string",
            "pattern",
            "^" + syntax() + "$",
            "not",
            Map.of("pattern", "^\\s*\\.\\.\\s*$")));
  }

  private record CountBound(int most) implements Bound<Integer> {
    @Override
    public @Nullable Integer parse(String text, Reading reading) {
      Long value = Scalars.parseInteger(text);
      return value == null || value < 0 || value > most ? null : Math.toIntExact(value);
    }

    @Override
    public Object write(Integer value) {
      return value;
    }

    @Override
    public String expected() {
      return "a whole number (4) or a range (2..8)"
          + (most == Integer.MAX_VALUE ? "" : " of at most " + most);
    }

    @Override
    public String syntax() {
      return "\\+?(0|[1-9][0-9_]*)(\\.0+)?";
    }

    @Override
    public Map<String, Object> numberSchema() {
      return most == Integer.MAX_VALUE
          ? Map.of("type", "integer", "minimum", 0)
          : Map.of("type", "integer", "minimum", 0, "maximum", most);
    }
  }

  private static final class SizeBound implements Bound<Size> {
    @Override
    public @Nullable Size parse(String text, Reading reading) {
      return Sizes.parse(text, reading.isNormal());
    }

    @Override
    public Object write(Size value) {
      return value.mib();
    }

    @Override
    public String display(Size value) {
      return value.mib() % 1024 == 0 ? value.mib() / 1024 + "GB" : value.mib() + "MB";
    }

    @Override
    public String expected() {
      return "a size (16GB) or a range of sizes (8GB..16GB)";
    }

    @Override
    public String syntax() {
      return Sizes.SYNTAX;
    }

    @Override
    public Map<String, Object> numberSchema() {
      return Map.of("type", "number", "minimum", 0);
    }
  }
}
