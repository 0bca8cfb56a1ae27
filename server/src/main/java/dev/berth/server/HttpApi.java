package dev.berth.server;

import dev.berth.control.LogScope;
import dev.berth.server.metrics.ServerMetrics;
import dev.berth.server.traces.RequestTrace;
import dev.berth.server.traces.Traces;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.JettyConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the routes over HTTP: who may, JSON, and errors as problem documents. */
final class HttpApi implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HttpApi.class.getName());
  private static final String ROUTE = "berth.route";
  private static final String TRACE = "berth.trace";
  private static final String TRACEPARENT = "traceparent";

  /** Of a body that nobody who may has sent. */
  private static final long MOST_DRAINED = 1024 * 1024;

  /**
   * What a server that stands by passes on for who shows no token; all else that is open it has.
   */
  static final Set<String> PASSED_FOR_STRANGERS =
      Set.of("GET /login", "POST /login/oidc", "GET " + OpenApi.PATH);

  /** How much of strangers may be with the active server at once, so that others get there. */
  private static final int STRANGERS_AT_ONCE = 16;

  /** Whoever does not read an answer must not keep a server from ending. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final List<Route<?, ?>> routes;
  private final Admission admission;
  private final ServerMetrics metrics;
  private final Traces traces;
  private final Runnable touched;
  private final TrustedProxies proxies;
  private final @Nullable Elsewhere elsewhere;
  private final RequestBytes bodies = new RequestBytes();
  private final Semaphore strangers = new Semaphore(STRANGERS_AT_ONCE);

  /** Who waits for an answer from elsewhere. */
  private final Guests guests = new Guests();

  /** Who answers what this server has no route for. */
  interface Elsewhere {
    Answer ask(Passed.Request request);

    /** Nobody answers any more: whoever waits is told so. */
    void close();
  }

  /**
   * An API that is complete, or of a server that stands by.
   *
   * @param elsewhere null where everything is answered here
   */
  HttpApi(
      List<Route<?, ?>> routes,
      Admission admission,
      ServerMetrics metrics,
      Traces traces,
      Runnable touched,
      TrustedProxies proxies,
      @Nullable Elsewhere elsewhere) {
    this.elsewhere = elsewhere;
    this.metrics = metrics;
    this.traces = traces;
    this.routes = routes;
    this.admission = admission;
    this.touched = touched;
    this.proxies = proxies;
  }

  /**
   * Makes the API ready to be started.
   *
   * @param connected says how it is connected to its clients
   */
  Javalin create(Consumer<JettyConfig> connected) {
    return Javalin.create(
        config -> {
          config.startup.showJavalinBanner = false;
          config.startup.showOldJavalinVersionWarning = false;
          config.concurrency.useVirtualThreads = true;
          config.http.compressionStrategy = CompressionStrategy.NONE;
          JettySettings.apply(config.jetty);
          connected.accept(config.jetty);
          Upgrades.configure(config);
          config.routes.before(this::begin);
          config.requestLogger.http(this::answered);
          config.requestLogger.ws(
              log ->
                  log.onUpgrade(
                      (context, millis) -> {
                        Upgrades.answered(context);
                        answered(context, millis);
                      }));
          routes.forEach(route -> add(config, route));
          if (elsewhere == null) {
            config.routes.get(
                Routes.BASE + OpenApi.PATH,
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
                  write(context, unknown(context));
                }
              });
        });
  }

  /** What is answered to a request that no route takes. */
  private Answer unknown(Context context) {
    String id = RequestIds.of(context);
    if (elsewhere != null && context.path().startsWith(Routes.BASE + "/")) {
      // Whatever has a method that routes have was passed on.
      return Answer.notAllowed(
          context.path(), Arrays.stream(Route.Method.values()).map(Enum::name).toList(), id);
    }
    return Answer.unknown(routes, context.path(), id);
  }

  /** Whoever waits for an answer from elsewhere is told to ask again, and gets that answer. */
  @Override
  public void close() {
    if (elsewhere != null) {
      elsewhere.close();
      if (!guests.awaitAllLeft(LAST_ANSWERS)) {
        LOG.log(System.Logger.Level.WARNING, "Some who asked get no answer");
      }
    }
  }

  private void begin(Context context) {
    RequestIds.assign(context);
    context.attribute(TRACE, traces.begin(context.header(TRACEPARENT)));
  }

  /** Has everything answered elsewhere that no route before has taken. */
  private void passOn(JavalinConfig config, Elsewhere other) {
    for (Route.Method method : Route.Method.values()) {
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(method.name()),
          Routes.BASE + "/*",
          context -> write(context, passOn(context, other)));
    }
  }

  private Answer passOn(Context context, Elsewhere other) {
    String path = context.path().substring(Routes.BASE.length());
    if (!PASSED_FOR_STRANGERS.contains(context.method().name() + " " + path)) {
      // Nothing of a stranger is read, or gets into the database.
      Caller caller =
          drainingRefused(
              context, () -> admission.caller(context.header("Authorization"), address(context)));
      return ask(context, caller, other);
    }
    if (!strangers.tryAcquire()) {
      throw new ApiException(
          503,
          "too many requests at once; try again in a second",
          List.of(),
          Map.of("Retry-After", "1"));
    }
    try {
      return ask(context, null, other);
    } finally {
      strangers.release();
    }
  }

  private Answer ask(Context context, @Nullable Caller caller, Elsewhere other) {
    int most = caller == null ? RequestBytes.LARGEST_OF_STRANGERS : RequestBytes.LARGEST;
    try (RequestBytes.Held body = bodies.read(context, most)) {
      // Not before all of it is here: nobody waits for who is slow to ask.
      guests.enter(context);
      return other.ask(passed(context, caller, body.bytes()));
    }
  }

  private Passed.Request passed(Context context, @Nullable Caller caller, byte[] body) {
    Map<String, String> query = new HashMap<>();
    context.queryParamMap().forEach((name, values) -> query.put(name, values.getFirst()));
    String key = context.header(MessageSender.KEY);
    return new Passed.Request(
        context.method().name(),
        context.path(),
        query,
        // Whoever gives none still must not be served twice when the active server changes.
        key == null ? Tokens.random(16) : key,
        caller,
        RequestIds.of(context),
        body,
        address(context),
        trace(context).traceparent());
  }

  /** Where a request comes from, as far as one can know. */
  private String address(Context context) {
    return proxies.client(
        context.ip(), Collections.list(context.req().getHeaders(TrustedProxies.HEADER)));
  }

  private <I, O> void add(JavalinConfig config, Route<I, O> route) {
    HandlerType type = HandlerType.findOrCreate(route.method().name());
    config.routes.addHttpHandler(
        type, Routes.BASE + route.path(), context -> handle(route, context));
    if (route.isUpgrade()) {
      Upgrades.add(
          config,
          Routes.BASE + route.path(),
          context -> {
            begin(context);
            handle(route, context);
          },
          (e, context) -> Answer.of(e, target(context), RequestIds.of(context)));
    }
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
    Admitted admitted = drainingRefused(context, () -> admitted(route, context));
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
      LogScope.<Exception>call(about, () -> answer(route, call, context));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <I, O> void answer(Route<I, O> route, Call call, Context context) throws Exception {
    O response;
    if (route.request() == null) {
      response = route.handler().handle(call, null);
    } else {
      try (RequestBytes.Held body = bodies.read(context, route.largestBody())) {
        response = route.handler().handle(call, RequestBody.read(route, body.bytes()));
      }
    }
    if (response != null) {
      write(context, Answer.json(route.status(), response));
    }
  }

  /**
   * Lets a request in. The body of one that is refused is read and thrown away, unless it is large:
   * a client that is still sending when the connection is closed would never see the refusal.
   */
  private static <T> T drainingRefused(Context context, Supplier<T> letIn) {
    try {
      return letIn.get();
    } catch (ApiException e) {
      RequestBytes.drain(context.bodyInputStream(), MOST_DRAINED, e);
      throw e;
    }
  }

  /** Lets a request in, or refuses it before anything of it is read. */
  private Admitted admitted(Route<?, ?> route, Context context) {
    Need need = route.need();
    if (need == Need.NOTHING) {
      return new Admitted(
          new Call(
              new HttpExchange(context, address(context), trace(context)),
              Caller.NOBODY,
              () -> true),
          null);
    }
    String authorization = context.header("Authorization");
    String project = context.pathParamMap().get("project");
    Caller caller = admission.caller(authorization, address(context));
    Call call =
        new Call(
            new HttpExchange(context, address(context), trace(context)),
            caller,
            () -> admission.isAdmitted(authorization, need, project));
    Answer again = admission.again(route, call);
    if (again == null) {
      admission.pass(caller, need, project);
    }
    return new Admitted(call, again);
  }

  /**
   * A request that was let in.
   *
   * @param again its answer, where the same caller got it before
   */
  private record Admitted(Call call, @Nullable Answer again) {}

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
