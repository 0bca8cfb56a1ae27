package dev.berth.server;

import io.javalin.Javalin;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The port of a server, and the API that answers there. A server that takes over exchanges the API
 * while it listens: no connection is refused or cut, and what another API has begun to answer, it
 * ends. Used by the thread that starts the server; the port may be asked for by any.
 */
final class HttpListener implements AutoCloseable {
  private final Listening at;
  private final Current current = new Current();

  /** Those that were served, the one with the port first. */
  private final List<Served> served = new CopyOnWriteArrayList<>();

  HttpListener(Listening at) {
    this.at = at;
  }

  private record Served(HttpApi api, Javalin http) {}

  /** Hands each request to the API that is served when it comes. */
  private static final class Current extends Handler.Wrapper {
    /** Null while the one is served that opened the port. */
    private volatile @Nullable Handler successor;

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Handler now = successor;
      return now == null
          ? super.handle(request, response, callback)
          : now.handle(request, response, callback);
    }
  }

  /** Has an API answer all requests from now on. The first one opens the port. */
  void serve(HttpApi api) {
    if (served.isEmpty()) {
      Javalin http =
          api.create(
              jetty -> {
                jetty.host = at.host();
                jetty.port = at.port();
                jetty.modifyServer(server -> server.insertHandler(current));
              });
      served.add(new Served(api, http));
      http.start();
      return;
    }
    // Jetty wants a connector, and this one takes no connections.
    Javalin http =
        api.create(
            jetty ->
                jetty.addConnector(
                    (server, settings) ->
                        new LocalConnector(server, new HttpConnectionFactory(settings))));
    served.add(new Served(api, http));
    http.start();
    current.successor = http.jettyServer().server().getHandler();
  }

  /** Where it listens, once it does. */
  int port() {
    return served.getFirst().http().port();
  }

  Listening at() {
    return at;
  }

  /** Ends listening, and all connections. Idempotent. */
  @Override
  public void close() {
    served.forEach(one -> one.api().close());
    served.forEach(one -> one.http().stop());
    served.clear();
  }
}
