package dev.berth.server;

import dev.berth.ledger.LedgerException;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.ProblemView;
import dev.berth.spi.BackendException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** Serves the routes over HTTP: who may, JSON, and errors as problem documents. */
final class HttpApi {
  /** A misspelt field must not look like one that was left out. */
  private static final JsonMapper REQUESTS =
      ApiJson.MAPPER.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final System.Logger LOG = System.getLogger(HttpApi.class.getName());
  private static final Caller NOBODY =
      new Caller("", User.Role.USER, Token.Scope.UNLIMITED, Map.of());
  private static final int LARGEST_BODY = 16 * 1024 * 1024;

  private final List<Route<?, ?>> routes;
  private final Authenticator authenticator;
  private final Gate gate;
  private final Runnable touched;

  HttpApi(List<Route<?, ?>> routes, Authenticator authenticator, Gate gate, Runnable touched) {
    this.routes = routes;
    this.authenticator = authenticator;
    this.gate = gate;
    this.touched = touched;
  }

  Javalin create(String host, int port) {
    return Javalin.create(
        config -> {
          config.startup.showJavalinBanner = false;
          config.startup.showOldJavalinVersionWarning = false;
          config.concurrency.useVirtualThreads = true;
          config.http.maxRequestSize = LARGEST_BODY;
          config.http.compressionStrategy = CompressionStrategy.NONE;
          config.jetty.host = host;
          config.jetty.port = port;
          routes.forEach(route -> add(config, route));
          config.routes.get(
              Routes.BASE + "/openapi.json",
              context -> json(context, 200, OpenApi.document(routes)));
          config.routes.exception(
              ApiException.class,
              (e, context) -> {
                e.headers().forEach(context::header);
                problem(context, e.status(), String.valueOf(e.getMessage()), e.errors());
              });
          config.routes.exception(
              BackendException.class,
              (e, context) ->
                  problem(
                      context,
                      e.isRetryable() ? 503 : 502,
                      "the backend says: " + e.getMessage(),
                      List.of()));
          config.routes.exception(
              LedgerException.class,
              (e, context) -> {
                LOG.log(System.Logger.Level.ERROR, "The ledger could not be used", e);
                context.header("Retry-After", "1");
                problem(
                    context,
                    e.code().retryable() ? 503 : 500,
                    "the server cannot reach its state; its log says more",
                    List.of());
              });
          config.routes.exception(
              Exception.class,
              (e, context) -> {
                LOG.log(
                    System.Logger.Level.ERROR,
                    "A request failed: " + context.method() + " " + context.path(),
                    e);
                problem(context, 500, "the server failed; its log says more", List.of());
              });
          config.routes.error(
              404,
              context -> {
                String answered = context.res().getContentType();
                if (answered == null || !answered.startsWith("application/problem")) {
                  problem(context, 404, "there is nothing at " + context.path(), List.of());
                }
              });
        });
  }

  private <I, O> void add(JavalinConfig config, Route<I, O> route) {
    HandlerType type = HandlerType.findOrCreate(route.method().name());
    config.routes.addHttpHandler(
        type, Routes.BASE + route.path(), context -> handle(route, context));
  }

  private <I, O> void handle(Route<I, O> route, Context context) throws IOException {
    touched.run();
    Call call = admitted(route, context);
    try {
      O response = route.handler().handle(call, body(route, context));
      if (response != null) {
        json(context, route.status(), response);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a request in, or refuses it before anything of it is read. */
  private Call admitted(Route<?, ?> route, Context context) {
    Need need = route.need();
    if (need == Need.NOTHING) {
      return new Call(context, NOBODY, () -> true);
    }
    String authorization = context.header("Authorization");
    String project = context.pathParamMap().get("project");
    Caller caller = authenticator.caller(authorization, context.ip());
    gate.pass(caller, need, project);
    return new Call(context, caller, () -> isAdmitted(authorization, need, project));
  }

  /** Whether the same request would be let in now. */
  private boolean isAdmitted(@Nullable String authorization, Need need, @Nullable String project) {
    Caller caller = authenticator.callerNow(authorization).orElse(null);
    try {
      if (caller != null) {
        gate.pass(caller, need, project);
        return true;
      }
    } catch (ApiException e) {
      LOG.log(System.Logger.Level.DEBUG, "A request that lasts is not allowed any more", e);
    }
    return false;
  }

  private static <I, O> @Nullable I body(Route<I, O> route, Context context) {
    Class<I> type = route.request();
    if (type == null) {
      return null;
    }
    byte[] bytes = context.bodyAsBytes();
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

  private static void json(Context context, int status, Object value) {
    context.status(status);
    context.contentType("application/json");
    context.result(ApiJson.MAPPER.writeValueAsBytes(value));
  }

  private static void problem(
      Context context, int status, String detail, List<FieldProblem> errors) {
    HttpStatus known = HttpStatus.forStatus(status);
    context.status(status);
    context.result(
        ApiJson.MAPPER.writeValueAsBytes(
            new ProblemView("about:blank", known.getMessage(), status, detail, errors)));
    context.contentType("application/problem+json");
  }
}
