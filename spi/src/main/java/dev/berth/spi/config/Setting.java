package dev.berth.spi.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component of a configuration's record. The name in files is the component's in snake
 * case. A component is optional where its type is {@code @Nullable}, where it is a list or map, or
 * where it has a fallback.
 *
 * <p>Types: {@code String}, {@link dev.berth.model.Secret}, {@code boolean}, {@code int}, {@code
 * long}, {@code double}, {@link java.time.Duration} (as {@code 90s} or {@code 2h}), {@link
 * dev.berth.model.config.Size} (as {@code 16GB}), enums, records, lists, maps with text as keys,
 * and sealed interfaces of records, of which the field {@code type} chooses one: so are credentials
 * made that may be given in several ways.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface Setting {
  /** What it is for, in a sentence or two. */
  String value();

  /** What stands in the file; empty for the name in snake case. */
  String name() default "";

  /** The value where none is written, as it would be written. */
  String fallback() default "";

  /** Something that could be written, for documentation. */
  String example() default "";

  /** The least number, or the least length of a list. */
  long least() default Long.MIN_VALUE;
}
