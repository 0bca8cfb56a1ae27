package dev.berth.server;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * What is wrong with the JSON of a request, in words for whoever wrote it: those of the library
 * name its own classes and settings.
 */
final class JsonProblem {
  private static final Set<Class<?>> WHOLE =
      Set.of(Integer.class, int.class, Long.class, long.class);
  private static final String DUPLICATE = "Duplicate Object property ";

  private JsonProblem() {}

  static String sentence(JacksonException e) {
    return switch (e) {
      case StreamConstraintsException limit -> "the body is refused: " + limit.getOriginalMessage();
      case StreamReadException syntax -> syntax(syntax);
      case ValueInstantiationException refused when refused.getCause() != null ->
          String.valueOf(refused.getCause().getMessage());
      case MismatchedInputException mismatched -> mismatch(mismatched);
      default -> e.getOriginalMessage();
    };
  }

  private static String syntax(StreamReadException e) {
    String said = e.getOriginalMessage();
    return said.startsWith(DUPLICATE)
        ? "the body has the field " + said.substring(DUPLICATE.length()) + " twice"
        : "the body is not valid JSON; the first mistake is at line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  private static String mismatch(MismatchedInputException e) {
    String expected = "expected " + expected(e.getTargetType());
    if (e instanceof InvalidFormatException invalid && invalid.getValue() instanceof String text) {
      return expected + ", found '" + text + "'";
    }
    return expected;
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "another value";
    }
    if (WHOLE.contains(type)) {
      return "a whole number in the range of "
          + (type == long.class || type == Long.class ? "64 bits" : "32 bits");
    }
    if (type == Instant.class) {
      return "a time such as 2026-01-31T12:00:00Z";
    }
    if (type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(constant -> ApiJson.MAPPER.convertValue(constant, String.class))
              .collect(Collectors.joining(", "));
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "text";
    }
    if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
      return "a number";
    }
    if (Collection.class.isAssignableFrom(type) || type.isArray()) {
      return "a list";
    }
    return type.isRecord() || Map.class.isAssignableFrom(type) ? "an object" : "another value";
  }
}
