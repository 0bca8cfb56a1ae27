package dev.berth.server;

import dev.berth.control.LogScope;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.api.FieldProblem;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.traces.RequestTrace;
import dev.berth.server.traces.Traces;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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
      new Caller("", User.Role.USER, Token.Scope.UNLIMITED, Map.of(), null);
  private static final String OPEN_API = "/openapi.json";
  private static final String ROUTE = "berth.route";
  private static final String TRACE = "berth.trace";
  private static final String TRACEPARENT = "traceparent";
  private static final int MOST_DRAINED = 1024 * 1024;
  private static final int LARGEST_BODY = 16 * 1024 * 1024;

  private final List<Route<?, ?>> routes;
  private final Authenticator authenticator;
  private final Gate gate;
  private final ServerMetrics metrics;
  private final Traces traces;
  private final Runnable touched;
  private final @Nullable Elsewhere elsewhere;
  private final @Nullable Replays replays;

  /** Who answers what this server has no route for. */
  interface Elsewhere {
    Answer ask(Passed.Request request);
  }

  /**
   * An API that is complete, or of a server that stands by.
   *
   * @param elsewhere null where everything is answered here
   * @param replays null where nothing is deleted here
   */
  HttpApi(
      List<Route<?, ?>> routes,
      Authenticator authenticator,
      Gate gate,
      ServerMetrics metrics,
      Traces traces,
      Runnable touched,
      @Nullable Elsewhere elsewhere,
      @Nullable Replays replays) {
    this.elsewhere = elsewhere;
    this.replays = replays;
    this.metrics = metrics;
    this.traces = traces;
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
          config.routes.before(
              context -> {
                RequestIds.assign(context);
                context.attribute(TRACE, traces.begin(context.header(TRACEPARENT)));
              });
          config.requestLogger.http(this::answered);
          routes.forEach(route -> add(config, route));
          if (elsewhere == null) {
            config.routes.get(
                Routes.BASE + OPEN_API,
                context -> write(context, Answer.json(200, OpenApi.document(routes))));
          } else {
            passOn(config, elsewhere);
          }
          config.routes.exception(
              Exception.class,
              (e, context) ->
                  LogScope.run(
                      about(context),
                      () -> write(context, Answer.of(e, target(context), RequestIds.of(context)))));
          config.routes.error(
              404,
              context -> {
                String answered = context.res().getContentType();
                if (answered == null || !answered.startsWith("application/problem")) {
                  write(context, Answer.notThere(context.path(), RequestIds.of(context)));
                }
              });
        });
  }

  /** Has everything answered elsewhere that no route before has taken. */
  private void passOn(JavalinConfig config, Elsewhere other) {
    for (Route.Method method : Route.Method.values()) {
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(method.name()),
          Routes.BASE + "/*",
          context -> write(context, other.ask(passed(context))));
    }
  }

  private Passed.Request passed(Context context) {
    String authorization = context.header("Authorization");
    Map<String, String> query = new HashMap<>();
    context.queryParamMap().forEach((name, values) -> query.put(name, values.getFirst()));
    String key = context.header(MessageSender.KEY);
    return new Passed.Request(
        context.method().name(),
        context.path(),
        query,
        // Whoever gives none still must not be served twice when the active server changes.
        key == null ? Tokens.random(16) : key,
        authorization == null ? null : caller(authorization, context.ip()),
        RequestIds.of(context),
        context.bodyAsBytes(),
        context.ip(),
        trace(context).traceparent());
  }

  private <I, O> void add(JavalinConfig config, Route<I, O> route) {
    HandlerType type = HandlerType.findOrCreate(route.method().name());
    config.routes.addHttpHandler(
        type, Routes.BASE + route.path(), context -> handle(route, context));
    if (route.path().equals(ObservationRoutes.METRICS)) {
      // Where those look who are told nothing else.
      config.routes.addHttpHandler(type, route.path(), context -> handle(route, context));
    }
  }

  /** Counts a request that was answered; of a path that is no route nothing is kept. */
  private void answered(Context context, Float millis) {
    String route = context.attribute(ROUTE);
    metrics.answered(
        route == null ? "other" : context.method().name(),
        route == null ? "other" : route,
        context.statusCode(),
        Duration.ofNanos((long) (millis * 1e6)));
    trace(context)
        .answered(
            context.method().name(),
            route == null ? null : Routes.BASE + route,
            context.path(),
            context.statusCode(),
            RequestIds.of(context));
  }

  /** The request as traces see it; one that ended before it was looked at is not traced. */
  private static RequestTrace trace(Context context) {
    RequestTrace begun = context.attribute(TRACE);
    return begun == null ? RequestTrace.NONE : begun;
  }

  private static Map<String, String> about(Context context) {
    Map<String, String> about = new HashMap<>();
    String id = RequestIds.of(context);
    if (id != null) {
      about.put("request", id);
    }
    String trace = trace(context).traceId();
    if (trace != null) {
      about.put("trace", trace);
    }
    return about;
  }

  private <I, O> void handle(Route<I, O> route, Context context) throws Exception {
    touched.run();
    context.attribute(ROUTE, route.path());
    Admitted admitted = admittedOrDrained(route, context);
    if (admitted.again() != null) {
      write(context, admitted.again());
      return;
    }
    Call call = admitted.call();
    Map<String, String> about = new HashMap<>(about(context));
    if (!call.user().isEmpty()) {
      about.put("actor", call.user());
    }
    try {
      LogScope.<Exception>call(
          about,
          () -> {
            O response = route.handler().handle(call, body(route, context::bodyAsBytes));
            if (response != null) {
              write(context, Answer.json(route.status(), response));
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets a request in. The body of one that is refused is read and thrown away, unless it is large:
   * a client that is still sending when the connection is closed would never see the refusal.
   */
  private Admitted admittedOrDrained(Route<?, ?> route, Context context) {
    try {
      return admitted(route, context);
    } catch (ApiException e) {
      try {
        context.bodyInputStream().readNBytes(MOST_DRAINED);
      } catch (IOException broken) {
        e.addSuppressed(broken);
      }
      throw e;
    }
  }

  /** Lets a request in, or refuses it before anything of it is read. */
  private Admitted admitted(Route<?, ?> route, Context context) {
    Need need = route.need();
    if (need == Need.NOTHING) {
      return new Admitted(
          new Call(new HttpExchange(context, trace(context)), NOBODY, () -> true), null);
    }
    String authorization = context.header("Authorization");
    String project = context.pathParamMap().get("project");
    Caller caller = caller(authorization, context.ip());
    Call call =
        new Call(
            new HttpExchange(context, trace(context)),
            caller,
            () -> isAdmitted(authorization, need, project));
    Answer again = again(route, call);
    if (again == null) {
      gate.pass(caller, need, project);
    }
    return new Admitted(call, again);
  }

  /**
   * A request that was let in.
   *
   * @param again its answer, where the same caller got it before
   */
  private record Admitted(Call call, @Nullable Answer again) {}

  /**
   * What the same caller was answered to the same deletion. Told before anybody asks whether the
   * caller may: a project that was deleted is none that one may do something in.
   */
  private @Nullable Answer again(Route<?, ?> route, Call call) {
    return replays == null || route.method() != Route.Method.DELETE
        ? null
        : replays.findDeletion(call).orElse(null);
  }

  private Caller caller(@Nullable String authorization, String address) {
    try {
      return authenticator.caller(authorization, address);
    } catch (ApiException e) {
      if (authorization != null) {
        metrics.failedLogin();
      }
      throw e;
    }
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

  /** Answers what a server that stands by has passed on. */
  Answer answer(Passed.Request request) {
    RequestTrace trace = traces.begin(request.traceparent());
    Matched matched = match(request);
    Answer answer = answer(request, matched, trace);
    trace.answered(
        request.method(),
        matched == null ? null : Routes.BASE + matched.route().path(),
        request.path(),
        answer.status(),
        request.id());
    return answer;
  }

  /** The route of a request, and the parts of its path. */
  private record Matched(Route<?, ?> route, Map<String, String> parts) {}

  private @Nullable Matched match(Passed.Request request) {
    for (Route<?, ?> route : routes) {
      if (route.method().name().equals(request.method())) {
        Map<String, String> parts =
            new PathPattern(Routes.BASE + route.path()).match(request.path()).orElse(null);
        if (parts != null) {
          return new Matched(route, parts);
        }
      }
    }
    return null;
  }

  private Answer answer(Passed.Request request, @Nullable Matched matched, RequestTrace trace) {
    String target = request.method() + " " + request.path();
    try {
      if (request.path().equals(Routes.BASE + OPEN_API)) {
        return Answer.json(200, OpenApi.document(routes));
      }
      return matched == null
          ? Answer.notThere(request.path(), request.id())
          : answer(
              matched.route(), new Passed.PassedExchange(request, matched.parts(), trace), request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.of(new ApiException(503, "the server is stopping"), target, request.id());
    } catch (Exception e) {
      return Answer.of(e, target, request.id());
    }
  }

  private <I, O> Answer answer(
      Route<I, O> route, Passed.PassedExchange exchange, Passed.Request request) throws Exception {
    Caller caller = request.caller();
    Call call = new Call(exchange, caller == null ? NOBODY : caller, () -> true);
    if (route.need() != Need.NOTHING) {
      if (caller == null) {
        throw Authenticator.refusal();
      }
      Answer again = again(route, call);
      if (again != null) {
        return again;
      }
      gate.pass(caller, route.need(), exchange.pathParts().get("project"));
    }
    O response = route.handler().handle(call, body(route, request::body));
    if (response == null) {
      return exchange.written(route.status());
    }
    Answer answer = Answer.json(route.status(), response);
    return new Answer(answer.status(), exchange.headers(), answer.contentType(), answer.body());
  }

  private static <I, O> @Nullable I body(Route<I, O> route, Supplier<byte[]> sent) {
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

  private static void write(Context context, Answer answer) {
    context.status(answer.status());
    answer.headers().forEach(context::header);
    context.result(answer.body());
    context.contentType(answer.contentType());
  }

  private static String target(Context context) {
    return context.method() + " " + context.path();
  }
}
