package dev.berth.server;

import dev.berth.model.api.FieldProblem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Reads the JSON that requests bring. */
final class RequestBody {
  /**
   * How many values, names and brackets a request has at most. A file has up to 100,000 values,
   * some of which are short for several.
   */
  static final int MOST_TOKENS = 500_000;

  private RequestBody() {}

  /**
   * What a request to a route brings; null where it brings nothing.
   *
   * @throws ApiException 400 where it is not what the route takes
   */
  static <I, O> @Nullable I read(Route<I, O> route, byte[] bytes) {
    Class<I> type = route.request();
    if (type == null || bytes.length == 0) {
      return null;
    }
    try {
      count(bytes);
      I body = ApiJson.REQUESTS.readValue(bytes, type);
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
          List.of(new FieldProblem(path(e), "there is no such field")));
    } catch (DatabindException e) {
      String path = path(e);
      String sentence = JsonProblem.sentence(e);
      throw path.isEmpty()
          ? new ApiException(400, "the body: " + sentence)
          : new ApiException(
              400, path + ": " + sentence, List.of(new FieldProblem(path, sentence)));
    } catch (JacksonException e) {
      throw new ApiException(400, JsonProblem.sentence(e));
    }
  }

  /** Looks at all of a body before anything is made of it, which can take many times its size. */
  private static void count(byte[] bytes) {
    try (JsonParser parser = ApiJson.REQUESTS.createParser(bytes)) {
      int tokens = 0;
      while (parser.nextToken() != null) {
        tokens++;
        if (tokens > MOST_TOKENS) {
          throw new ApiException(
              400,
              "the body has more than the %,d values, names and brackets allowed"
                  .formatted(MOST_TOKENS));
        }
      }
    }
  }

  /** Where in the body something is wrong, such as {@code chunks[0].size}. */
  private static String path(DatabindException e) {
    return e.getPath().stream()
        .map(
            step ->
                step.getPropertyName() == null
                    ? "[" + step.getIndex() + "]"
                    : "." + step.getPropertyName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }
}
