package dev.berth.server;

import dev.berth.model.api.FieldProblem;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** Reads the JSON that requests bring. */
final class RequestBody {
  /** A misspelt field must not look like one that was left out. */
  private static final JsonMapper REQUESTS =
      ApiJson.MAPPER.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private RequestBody() {}

  /**
   * What a request to a route brings; null where it brings nothing.
   *
   * @throws ApiException 400 where it is not what the route takes
   */
  static <I, O> @Nullable I read(Route<I, O> route, Supplier<byte[]> sent) {
    Class<I> type = route.request();
    if (type == null) {
      return null;
    }
    byte[] bytes = sent.get();
    if (bytes.length == 0) {
      return null;
    }
    try {
      I body = REQUESTS.readValue(bytes, type);
      List<FieldProblem> missing = body == null ? List.of() : RecordSchemas.missing(body);
      if (!missing.isEmpty()) {
        throw new ApiException(
            400, "the field '" + missing.getFirst().path() + "' is required", missing);
      }
      return body;
    } catch (UnrecognizedPropertyException e) {
      throw new ApiException(
          400,
          "there is no field '" + e.getPropertyName() + "' here",
          List.of(new FieldProblem(e.getPropertyName(), "there is no such field")));
    } catch (JacksonException e) {
      throw new ApiException(
          400, "the body is not the JSON that is expected here: " + e.getOriginalMessage());
    }
  }
}
