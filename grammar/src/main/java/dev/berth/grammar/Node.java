package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A part of a YAML document that remembers where it stands. Scalars stay text: what they mean is up
 * to the field that reads them.
 */
public sealed interface Node {
  Position position();

  /**
   * A piece of text; {@code plain} tells that it was written without quotes, so that words like
   * {@code null} have their meaning.
   */
  record Scalar(Position position, String text, boolean plain) implements Node {
    private static final List<String> NULL_WORDS = List.of("", "~", "null", "Null", "NULL");

    public boolean isNull() {
      return plain && NULL_WORDS.contains(text);
    }
  }

  record Sequence(Position position, List<Node> items) implements Node {}

  record Mapping(Position position, SequencedMap<String, Entry> entries) implements Node {
    /** The value that belongs to a key, with the place of the key. */
    public record Entry(Position keyPosition, Node value) {}
  }

  default boolean isAbsent() {
    return this instanceof Scalar scalar && scalar.isNull();
  }

  /** What a person would call this node. */
  default String kindName() {
    return switch (this) {
      case Scalar scalar ->
          scalar.isNull() ? "nothing" : "'" + Text.abbreviate(scalar.text()) + "'";
      case Sequence _ -> "a list";
      case Mapping _ -> "a mapping";
    };
  }

  /**
   * Makes a tree of plain values, such as the normalised form, readable by shapes. It has no
   * positions of its own.
   */
  static Node ofPlain(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        SequencedMap<String, Mapping.Entry> entries = new java.util.LinkedHashMap<>();
        map.forEach(
            (key, item) ->
                entries.put(
                    String.valueOf(key), new Mapping.Entry(Position.START, ofNullable(item))));
        yield new Mapping(Position.START, entries);
      }
      case List<?> list ->
          new Sequence(Position.START, list.stream().map(Node::ofNullable).toList());
      case String text -> new Scalar(Position.START, text, false);
      default -> new Scalar(Position.START, value.toString(), true);
    };
  }

  private static Node ofNullable(@org.jspecify.annotations.Nullable Object value) {
    return value == null ? new Scalar(Position.START, "null", true) : ofPlain(value);
  }
}
