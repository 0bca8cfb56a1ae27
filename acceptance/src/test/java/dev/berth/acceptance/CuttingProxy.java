package dev.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Stands between a client and a server as a bad network does: every request reaches the server, but
 * of the answers so many percent are cut off, and the client does not know what happened.
 */
final class CuttingProxy implements AutoCloseable {
  private static final List<String> PASSED =
      List.of("Authorization", "Content-Type", "Idempotency-Key");

  private final HttpServer listening;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Supplier<String> serverUrl;
  private final int percent;

  /** Guarded by itself. */
  private final SplittableRandom random;

  private final AtomicInteger cut = new AtomicInteger();
  private final AtomicInteger passed = new AtomicInteger();

  /**
   * Listens on a free port.
   *
   * @param serverUrl where the server is now; may wait until there is one
   * @param percent of the answers that are cut off
   */
  CuttingProxy(Supplier<String> serverUrl, int percent, SplittableRandom random) {
    this.serverUrl = serverUrl;
    this.percent = percent;
    this.random = random;
    try {
      listening =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    listening.createContext("/", this::pass);
    listening.setExecutor(threads);
    listening.start();
  }

  String url() {
    return "http://127.0.0.1:" + listening.getAddress().getPort();
  }

  /** How many answers the server gave that no client got. */
  int cut() {
    return cut.get();
  }

  int passed() {
    return passed.get();
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpResponse<byte[]> answer =
          http.send(request(exchange), HttpResponse.BodyHandlers.ofByteArray());
      if (isUnlucky()) {
        // Closing without an answer breaks the connection.
        cut.incrementAndGet();
        return;
      }
      answer
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
      exchange.sendResponseHeaders(
          answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
      passed.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpRequest request(HttpExchange exchange) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(serverUrl.get() + exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : PASSED) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    return request.build();
  }

  private boolean isUnlucky() {
    synchronized (random) {
      return random.nextInt(100) < percent;
    }
  }

  @Override
  public void close() {
    listening.stop(0);
    threads.shutdownNow();
    http.shutdownNow();
  }
}
