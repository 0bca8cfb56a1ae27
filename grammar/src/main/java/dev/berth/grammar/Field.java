package dev.berth.grammar;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One key of a mapping: its names, its shape, and what stands for it when it is not written. */
final class Field<T> {
  /** What an unwritten field becomes. */
  enum Absence {
    /** An error. */
    REQUIRED,
    /** Its fallback, or null. */
    FALLBACK,
    /** What an empty mapping would read as, so that defaults further down are filled too. */
    EMPTY_MAPPING
  }

  final String name;
  final Shape<T> shape;
  final String description;
  private String normalName;
  private String component;
  private Absence absence = Absence.FALLBACK;
  private boolean nullable;
  private @Nullable T fallback;
  private @Nullable T filledDefault;
  private @Nullable T nullValue;
  private boolean keepsNull;
  private @Nullable String deprecation;

  Field(String name, Shape<T> shape, String description) {
    this.name = name;
    this.shape = shape;
    this.description = description;
    this.normalName = name;
    this.component = camelCase(name);
  }

  /** The name in the normalised form, where a unit is part of it. */
  Field<T> normalised(String otherName) {
    this.normalName = otherName;
    return this;
  }

  /** The record component, where Java reserves the word that the file uses. */
  Field<T> component(String otherName) {
    this.component = otherName;
    return this;
  }

  Field<T> required() {
    this.absence = Absence.REQUIRED;
    return this;
  }

  /** An explicit null in the file means the same as leaving the field out. */
  Field<T> nullable() {
    this.nullable = true;
    return this;
  }

  /** The value wherever the field is not written. */
  Field<T> orElse(T value) {
    this.fallback = value;
    return this;
  }

  /**
   * The value where it is not written and no profile or command line can say otherwise any more.
   */
  Field<T> filledWith(T value) {
    this.filledDefault = value;
    return this;
  }

  Field<T> orEmptyMapping() {
    this.absence = Absence.EMPTY_MAPPING;
    return this;
  }

  /** An explicit null in the file is a value of its own: none, instead of the fallback. */
  Field<T> keepingNull() {
    this.keepsNull = true;
    this.nullable = true;
    return this;
  }

  /**
   * An explicit null in the file stands for this value, which is not what an unwritten field is.
   */
  Field<T> nullMeans(T value) {
    this.nullValue = value;
    this.nullable = true;
    return this;
  }

  /** Accepted without effect; the sentence says what to use instead. */
  Field<T> deprecated(String sentence) {
    this.deprecation = sentence;
    return this;
  }

  String normalName() {
    return normalName;
  }

  String component() {
    return component;
  }

  boolean isRequired() {
    return absence == Absence.REQUIRED;
  }

  /** Whether null is a value of this field, and not the lack of one. */
  boolean keepsNull() {
    return keepsNull;
  }

  boolean isNullable() {
    return nullable;
  }

  Optional<String> deprecation() {
    return Optional.ofNullable(deprecation);
  }

  String nameIn(Reading reading) {
    return reading.isNormal() ? normalName : name;
  }

  /**
   * Reads the value that stands at this field; null means that nothing was given, or that it was
   * reported as wrong.
   */
  @Nullable T read(Node node, Reading reading) {
    if (!node.isAbsent()) {
      return shape.read(node, reading);
    }
    if (reading.isNormal() && shape.writesNullForOff()) {
      return shape.off();
    }
    if (keepsNull) {
      return null;
    }
    if (nullValue != null && !reading.isNormal()) {
      return nullValue;
    }
    if (!nullable && !reading.isNormal()) {
      reading.error(
          Rule.VALUE_MISSING, node, "this field has no value; write one or remove the line");
      return null;
    }
    return unwritten(reading);
  }

  @Nullable T unwritten(Reading reading) {
    if (absence == Absence.EMPTY_MAPPING) {
      return shape.read(new Node.Mapping(Position.START, new java.util.LinkedHashMap<>()), reading);
    }
    return reading.fillsDefaults() && filledDefault != null ? filledDefault : fallback;
  }

  static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    boolean upper = false;
    for (char c : name.toCharArray()) {
      if (c == '_' || c == '-') {
        upper = true;
      } else {
        camel.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    return camel.toString();
  }
}
