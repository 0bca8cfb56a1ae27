package dev.berth.client;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the API's records as JSON, with names in snake case: the counterpart of AnswerReader. */
final class RequestWriter {
  private final StringBuilder to = new StringBuilder();

  private RequestWriter() {}

  static byte[] write(Object body) {
    RequestWriter writer = new RequestWriter();
    writer.value(body);
    return writer.to.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case null -> to.append("null");
      case String text -> string(text);
      case Boolean truth -> to.append(truth);
      case Number number -> to.append(number);
      case Instant time -> string(time.toString());
      case Map<?, ?> entries -> {
        to.append('{');
        entries.forEach((name, each) -> entry(String.valueOf(name), each));
        end('}');
      }
      case Collection<?> items -> {
        to.append('[');
        for (Object item : items) {
          value(item);
          to.append(',');
        }
        end(']');
      }
      case Record fields -> record(fields);
      default -> throw new IllegalArgumentException("not a part of a request: " + value.getClass());
    }
  }

  private void record(Record fields) {
    to.append('{');
    for (RecordComponent component : fields.getClass().getRecordComponents()) {
      try {
        entry(snakeCase(component.getName()), component.getAccessor().invoke(fields));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
    }
    end('}');
  }

  private void entry(String name, @Nullable Object value) {
    string(name);
    to.append(':');
    value(value);
    to.append(',');
  }

  /** The bracket takes the place of the last comma. */
  private void end(char bracket) {
    int last = to.length() - 1;
    if (to.charAt(last) == ',') {
      to.setCharAt(last, bracket);
    } else {
      to.append(bracket);
    }
  }

  private void string(String text) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < ' ') {
        to.append(c < 16 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
      } else {
        to.append(c);
      }
    }
    to.append('"');
  }

  static String snakeCase(String name) {
    StringBuilder words = new StringBuilder(name.length() + 4);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isUpperCase(c)) {
        words.append('_');
      }
      words.append(Character.toLowerCase(c));
    }
    return words.toString();
  }
}
