package dev.berth.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What one provider's API does, as a {@link FakeCloud} declares it. */
public final class FakeApi {
  final List<Route> routes = new ArrayList<>();
  final Map<String, Predicate<JsonNode>> bills = new HashMap<>();
  Consumer<FakeRequest> authentication = _ -> {};
  Function<FakeRefusal, FakeAnswer> errors =
      refusal ->
          FakeAnswer.json(
              refusal.status(),
              Map.of("error", Map.of("code", refusal.code(), "message", refusal.sentence())));
  Consumer<FakeState> seed = _ -> {};
  @Nullable RateLimit limit;
  private final Consumer<Consumer<FakeState>> happening;

  /**
   * The API of a server.
   *
   * @param happening changes the state between two calls
   */
  FakeApi(Consumer<Consumer<FakeState>> happening) {
    this.happening = happening;
  }

  /** What answers a call. What it changes, it changes in the state, and nowhere else. */
  @FunctionalInterface
  public interface Handler {
    FakeAnswer answer(FakeRequest request, FakeState state);
  }

  /**
   * A route that changes nothing.
   *
   * @param operation its name, by which faults and tests know it
   * @param path with parameters in braces, such as {@code /v1/machines/{id}}
   */
  public Route read(String operation, String method, String path, Handler handler) {
    return add(new Route(operation, method, path, handler, false));
  }

  /** A route that may change something; what it changes when it throws is taken back. */
  public Route write(String operation, String method, String path, Handler handler) {
    return add(new Route(operation, method, path, handler, true));
  }

  /**
   * Limits all calls together, as providers do: more are answered with 429 and the time until one
   * is free again.
   *
   * @param calls how many are taken within the window
   */
  public void limit(int calls, Duration window) {
    limit = new RateLimit(calls, window);
  }

  private Route add(Route route) {
    routes.add(route);
    return route;
  }

  /**
   * Who may call: throws a {@link FakeRefusal} for whoever may not. By default everybody may. Runs
   * before every route, also for routes that there are not.
   */
  public void authenticate(Consumer<FakeRequest> check) {
    authentication = check;
  }

  /** The vendor's form of a refusal. {@code Retry-After} is added where it belongs. */
  public void errors(Function<FakeRefusal, FakeAnswer> form) {
    errors = form;
  }

  /**
   * Changes the state when something happens at the cloud that no call asked for and no time was
   * planned for, such as the end of a process. From any thread, also while a call is answered.
   */
  public void happened(Consumer<FakeState> change) {
    happening.accept(change);
  }

  /**
   * Which things of a kind cost money, by their bodies, such as machines that are not stopped. By
   * default everything does while it exists.
   */
  public void bills(String kind, Predicate<JsonNode> when) {
    bills.put(kind, when);
  }

  /** What existed ever since, also for reads that lag; not used where the data file has a state. */
  public void seed(Consumer<FakeState> beginning) {
    seed = beginning;
  }

  /** One operation of the API. */
  public static final class Route {
    final String operation;
    final String method;
    final Handler handler;
    final boolean writes;
    private final List<String> parts;
    private Predicate<FakeRequest> when = _ -> true;
    private Duration lag = Duration.ZERO;
    private @Nullable RateLimit limit;

    private Route(String operation, String method, String path, Handler handler, boolean writes) {
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException("a path begins with a slash: " + path);
      }
      this.operation = operation;
      this.method = method;
      this.handler = handler;
      this.writes = writes;
      this.parts = parts(path);
    }

    /**
     * Only for requests that fit. Several operations may share a path: GraphQL has one for all, and
     * the body says which one is meant. The first route that fits answers.
     */
    public Route when(Predicate<FakeRequest> condition) {
      when = condition;
      return this;
    }

    /** What the provider's reads show is always so old. */
    public Route lagging(Duration time) {
      if (writes) {
        throw new IllegalArgumentException("only reads lag, and " + operation + " writes");
      }
      lag = time;
      return this;
    }

    /** Limits the calls of this route besides those of all, such as launches. */
    public Route limited(int calls, Duration window) {
      limit = new RateLimit(calls, window);
      return this;
    }

    void count(Instant now) {
      if (limit != null) {
        limit.count(now);
      }
    }

    Duration lag() {
      return lag;
    }

    static List<String> parts(String path) {
      return List.of(path.substring(1).split("/", -1));
    }

    boolean hasPath(List<String> sent) {
      if (sent.size() != parts.size()) {
        return false;
      }
      for (int i = 0; i < parts.size(); i++) {
        if (!isParameter(parts.get(i)) && !parts.get(i).equals(sent.get(i))) {
          return false;
        }
      }
      return true;
    }

    private static boolean isParameter(String part) {
      return part.startsWith("{") && part.endsWith("}");
    }

    /** The request with the parts of the path that this route names. */
    FakeRequest bound(FakeRequest request, List<String> sent) {
      Map<String, String> parameters = new HashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        String part = parts.get(i);
        if (isParameter(part)) {
          parameters.put(
              part.substring(1, part.length() - 1), FakeRequest.decodedPath(sent.get(i)));
        }
      }
      return request.with(parameters);
    }

    boolean fits(FakeRequest request) {
      return method.equals(request.method()) && when.test(request);
    }
  }
}
