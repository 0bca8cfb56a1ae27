package dev.berth.catalog.collect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A paged API with 25 offers, ten a page, that goes wrong as it is told before it goes right. */
final class FakePriceApi implements AutoCloseable {
  private static final int TOTAL = 25;
  private static final int PAGE = 10;

  /** What may go wrong with a page. */
  enum Fault {
    TOO_MANY_REQUESTS,
    HALF_A_PAGE,
    HALF_A_TEXT,
    SILENCE,
    BROKEN
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Fault> faults = new ArrayDeque<>();
  private final CountDownLatch end = new CountDownLatch(1);

  FakePriceApi(Fault... faults) throws IOException {
    this.faults.addAll(List.of(faults));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/offers", this::answer);
    server.start();
  }

  URI address() {
    return URI.create(
        "http://"
            + server.getAddress().getHostString()
            + ":"
            + server.getAddress().getPort()
            + "/offers");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      int from = Integer.parseInt(exchange.getRequestURI().getQuery().substring("from=".length()));
      byte[] page = page(from).getBytes(StandardCharsets.UTF_8);
      Fault fault = nextFault();
      if (fault == null) {
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
        return;
      }
      switch (fault) {
        case TOO_MANY_REQUESTS -> {
          exchange.getResponseHeaders().set("Retry-After", "7");
          exchange.sendResponseHeaders(429, -1);
        }
        case HALF_A_PAGE -> {
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page, 0, page.length / 2);
          exchange.getResponseBody().flush();
        }
        case HALF_A_TEXT -> {
          exchange.sendResponseHeaders(200, page.length / 2);
          exchange.getResponseBody().write(page, 0, page.length / 2);
        }
        case SILENCE -> awaitEnd();
        case BROKEN -> exchange.sendResponseHeaders(500, -1);
      }
    }
  }

  private synchronized @Nullable Fault nextFault() {
    return faults.poll();
  }

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String page(int from) {
    StringBuilder rows = new StringBuilder();
    for (int index = from; index < Math.min(from + PAGE, TOTAL); index++) {
      rows.append(rows.isEmpty() ? "" : ",")
          .append("{\"type\":\"m")
          .append(index)
          .append("\",\"region\":\"east\",\"price\":0.5}");
    }
    return "{\"total\":" + TOTAL + ",\"rows\":[" + rows + "]}";
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.close();
  }
}
