package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of value is spelled: it reads the value, writes its normalised form, and describes
 * both to editors as JSON Schema.
 *
 * @param <T> the value
 */
interface Shape<T> {
  /**
   * Reads the value, or reports what is wrong with it and returns null. Never called for an absent
   * node.
   */
  @Nullable T read(Node node, Reading reading);

  /**
   * The normalised form: maps, lists, text, numbers, booleans, or null. Reading it back gives an
   * equal value.
   */
  @Nullable Object write(T value);

  /** JSON Schema 2020-12 for the user's spelling. */
  Map<String, Object> schema(SchemaBuilder schemas);

  /** The shapes that this one is made of, for walks over everything that a file may hold. */
  default List<? extends Shape<?>> parts() {
    return List.of();
  }

  /**
   * Whether null in the normalised form is a value of its own ("off"), so that an unset field must
   * be left out instead.
   */
  default boolean writesNullForOff() {
    return false;
  }

  /**
   * The value that null in the normalised form stands for. Only for shapes that {@link
   * #writesNullForOff}.
   */
  default T off() {
    throw new IllegalStateException(getClass() + " has no value for null");
  }
}
