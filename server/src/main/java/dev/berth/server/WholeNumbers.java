package dev.berth.server;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.module.SimpleModule;

/** Reads 5.0 as the whole number that it is, as JSON Schema does, and refuses 5.5. */
final class WholeNumbers {
  private WholeNumbers() {}

  static JacksonModule module() {
    return new SimpleModule()
        .addDeserializer(Long.class, new Whole<>(Long.class, number -> number, null))
        .addDeserializer(long.class, new Whole<>(Long.class, number -> number, 0L))
        .addDeserializer(Integer.class, new Whole<>(Integer.class, Math::toIntExact, null))
        .addDeserializer(int.class, new Whole<>(Integer.class, Math::toIntExact, 0));
  }

  private static final class Whole<T extends Number> extends ValueDeserializer<T> {
    private final Class<T> type;
    private final LongFunction<T> narrowed;
    private final @Nullable T none;

    Whole(Class<T> type, LongFunction<T> narrowed, @Nullable T none) {
      this.type = type;
      this.narrowed = narrowed;
      this.none = none;
    }

    @Override
    public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
      if (!parser.currentToken().isNumeric()) {
        return type.cast(context.handleUnexpectedToken(type, parser));
      }
      try {
        return narrowed.apply(
            parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                ? parser.getLongValue()
                : parser.getDecimalValue().longValueExact());
      } catch (ArithmeticException e) {
        return type.cast(
            context.handleWeirdNumberValue(
                type, parser.getNumberValue(), "expected a whole number that is not too large"));
      }
    }

    @Override
    public @Nullable T getNullValue(DeserializationContext context) {
      return none;
    }
  }
}
