package dev.berth.testkit.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.testkit.ProviderSide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves a {@link FakeCloud} on loopback. Calls are answered by virtual threads, one at a time as
 * far as they look at the state; all methods may be called from any thread.
 */
public final class FakeProvider implements AutoCloseable {
  static {
    // Without it, the JDK's server holds each answer back for 40 ms on connections that are used
    // again. It reads the setting once, and only from here.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final FakeCloud cloud;
  private final FakeApi api = new FakeApi(this::happened);
  private final FakeFaults faults = new FakeFaults();
  private final FakeClock clock;
  private final FakeStore store;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger calls = new AtomicInteger();
  private final List<String> unknownCalls = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();

  private FakeProvider(FakeCloud cloud, Options options) throws IOException {
    this.cloud = cloud;
    clock = options.clock();
    store = FakeStore.open(cloud.name(), options.data());
    cloud.define(api);
    if (store.isEmpty()) {
      Instant ever = Instant.EPOCH;
      api.seed.accept(new FakeState(store, ever, ever, true, new FaultsOfCall(List.of())));
      store.save();
    }
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()), 0);
    server.setExecutor(threads);
    server.createContext("/", this::exchange);
    server.start();
  }

  /**
   * How a fake cloud is served.
   *
   * @param port 0 for one that is free
   * @param data where the state is kept; null for nowhere
   */
  public record Options(int port, FakeClock clock, @Nullable Path data) {
    /** A free port, a virtual clock, and a state that is forgotten. */
    public static Options usual() {
      return new Options(0, FakeClock.virtual(), null);
    }

    /** The same, at another time. */
    public Options at(FakeClock newClock) {
      return new Options(port, newClock, data);
    }

    /** The same, whose state is kept in a file. */
    public Options keptIn(Path file) {
      return new Options(port, clock, file);
    }
  }

  /** Serves a cloud at a free port, under a virtual clock. */
  public static FakeProvider start(FakeCloud cloud) throws IOException {
    return start(cloud, Options.usual());
  }

  /**
   * Serves a cloud.
   *
   * @throws IOException where the port is taken or the data cannot be read
   */
  public static FakeProvider start(FakeCloud cloud, Options options) throws IOException {
    return new FakeProvider(cloud, options);
  }

  /** Where it is, without a slash at the end. */
  public URI address() {
    InetSocketAddress bound = server.getAddress();
    return URI.create("http://127.0.0.1:" + bound.getPort());
  }

  public FakeClock clock() {
    return clock;
  }

  public FakeFaults faults() {
    return faults;
  }

  /** How many requests came, whatever became of them. */
  public int calls() {
    return calls.get();
  }

  /** Requests for a route or method that the cloud does not have, such as {@code GET /nowhere}. */
  public List<String> unknownCalls() {
    return List.copyOf(unknownCalls);
  }

  /**
   * What went wrong within the fake itself: a handler that threw what is no {@link FakeRefusal}.
   */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** All that exists and ever existed. */
  public FakeInventory inventory() {
    lock.lock();
    try {
      return FakeInventory.of(store, clock.instant(), api.bills);
    } finally {
      lock.unlock();
    }
  }

  /** What the conformance kit sees and does here, for {@code Subject.watching}. */
  public ProviderSide side() {
    return new FakeSide(this, 0);
  }

  /** The same, for a cloud that shows so many things of a kind by one call. */
  public ProviderSide side(int pageSize) {
    if (pageSize < 1) {
      throw new IllegalArgumentException("a page has room for something");
    }
    return new FakeSide(this, pageSize);
  }

  /** Stops listening. The state in a data file stays. */
  @Override
  public void close() {
    server.stop(0);
    threads.close();
    cloud.stopped();
  }

  private void happened(Consumer<FakeState> change) {
    lock.lock();
    try {
      Instant now = clock.instant();
      change.accept(new FakeState(store, now, now, true, new FaultsOfCall(List.of())));
      store.save();
    } finally {
      lock.unlock();
    }
  }

  private void exchange(HttpExchange exchange) throws IOException {
    try (exchange) {
      calls.incrementAndGet();
      FakeAnswer answer = answer(request(exchange));
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      boolean bare = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), bare ? -1 : body.length);
      if (!bare) {
        exchange.getResponseBody().write(body);
      }
    } catch (FaultsOfCall.Lost e) {
      // Closing the exchange before anything was sent closes the connection, as wanted.
    }
  }

  private static FakeRequest request(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    String query = exchange.getRequestURI().getRawQuery();
    return new FakeRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        Map.of(),
        FakeRequest.parsed(query == null ? "" : query),
        headers,
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
  }

  private FakeAnswer answer(FakeRequest request) {
    try {
      api.authentication.accept(request);
      List<String> sent = FakeApi.Route.parts(request.path());
      List<FakeApi.Route> there = api.routes.stream().filter(route -> route.hasPath(sent)).toList();
      FakeApi.Route route =
          there.stream()
              .filter(candidate -> candidate.fits(request))
              .findFirst()
              .orElseThrow(() -> unknown(request, !there.isEmpty()));
      return called(route, route.bound(request, sent));
    } catch (FakeRefusal refusal) {
      return refused(refusal);
    } catch (FaultsOfCall.Lost e) {
      throw e;
    } catch (RuntimeException e) {
      problems.add(request.method() + " " + request.path() + ": " + e);
      return refused(new FakeRefusal(500, "internal-error", "the fake itself failed: " + e));
    }
  }

  private FakeRefusal unknown(FakeRequest request, boolean path) {
    unknownCalls.add(request.method() + " " + request.path());
    return path
        ? new FakeRefusal(405, "method-not-allowed", request.method() + " is not possible here")
        : FakeRefusal.notFound("there is no " + request.path());
  }

  private FakeAnswer refused(FakeRefusal refusal) {
    FakeAnswer answer = api.errors.apply(refusal);
    return refusal
        .retryAfter()
        .map(delay -> answer.with("Retry-After", Long.toString(wholeSeconds(delay))))
        .orElse(answer);
  }

  private static long wholeSeconds(Duration delay) {
    return delay.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private FakeAnswer called(FakeApi.Route route, FakeRequest request) {
    FaultsOfCall met = faults.of(route.operation, route.writes, request);
    try {
      return called(route, request, met);
    } finally {
      met.meanwhile();
    }
  }

  private FakeAnswer called(FakeApi.Route route, FakeRequest request, FaultsOfCall met) {
    met.before(request);
    Instant now = clock.instant();
    if (api.limit != null) {
      api.limit.count(now);
    }
    route.count(now);
    lock.lock();
    try {
      FakeAnswer answer = effect(route, request, met);
      met.after();
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /** Where things happen: all or nothing, but for a fault in the middle, and kept before told. */
  private FakeAnswer effect(FakeApi.Route route, FakeRequest request, FaultsOfCall met) {
    Instant now = clock.instant();
    Duration lag = met.lag().compareTo(route.lag()) > 0 ? met.lag() : route.lag();
    Instant seen = route.writes ? now : now.minus(lag);
    FakeState state = new FakeState(store, now, seen, route.writes, met);
    if (!route.writes) {
      return route.handler.answer(request, state);
    }
    Map<String, FakeStore.Line> before = store.copy();
    try {
      FakeAnswer answer = route.handler.answer(request, state);
      store.save();
      return answer;
    } catch (FaultsOfCall.HalfWayReached e) {
      store.save();
      throw new FakeRefusal(500, "internal-error", "the call failed half way");
    } catch (RuntimeException e) {
      store.restore(before);
      throw e;
    }
  }
}
