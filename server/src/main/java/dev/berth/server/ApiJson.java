package dev.berth.server;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** JSON as the API writes it. */
public final class ApiJson {
  public static final JsonMapper MAPPER = mapper(new JsonFactory()).build();

  /** How deep a request nests at most: a file has 64 levels, and a request some around it. */
  static final int DEEPEST_REQUEST = 80;

  /**
   * For what clients send, where nothing is guessed: a misspelt field must not look like one that
   * was left out, a number is no text, and of two values for one name none is the right one.
   */
  static final JsonMapper REQUESTS =
      mapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST_REQUEST).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(WholeNumbers.module())
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              texts ->
                  texts
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
          .build();

  private ApiJson() {}

  private static JsonMapper.Builder mapper(JsonFactory factory) {
    return JsonMapper.builder(factory)
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  }
}
