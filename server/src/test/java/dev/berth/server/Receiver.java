package dev.berth.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import tools.jackson.databind.JsonNode;

/** A real HTTP server that is told of events, and answers as a test wants. */
public final class Receiver implements AutoCloseable {
  public static final int ENDLESS = 299;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Heard> heard = new CopyOnWriteArrayList<>();

  /**
   * The status of the answer to a request, by its number from 1 on; 0 for no answer at all, and
   * {@link #ENDLESS} for a good one whose body never ends.
   */
  private volatile IntUnaryOperator answers = _ -> 204;

  /** One request, with the status that it was answered with. */
  public record Heard(
      String id, String timestamp, String signature, String body, String path, int status) {
    public JsonNode json() {
      return ApiJson.MAPPER.readTree(body);
    }

    public long seq() {
      return json().get("data").get("seq").asLong();
    }
  }

  public Receiver() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/", this::answer);
    http.start();
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  public void answering(IntUnaryOperator status) {
    answers = status;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    int status;
    synchronized (this) {
      status = answers.applyAsInt(heard.size() + 1);
      heard.add(
          new Heard(
              header(exchange, "webhook-id"),
              header(exchange, "webhook-timestamp"),
              header(exchange, "webhook-signature"),
              body,
              exchange.getRequestURI().getPath(),
              status));
    }
    if (status == 0) {
      // Left open: whoever asked waits until its patience ends.
      return;
    }
    if (status == 302) {
      exchange.getResponseHeaders().add("Location", url() + "/elsewhere");
    }
    if (status == ENDLESS) {
      exchange.sendResponseHeaders(status, 0);
      exchange.getResponseBody().write('x');
      exchange.getResponseBody().flush();
      return;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    return String.valueOf(exchange.getRequestHeaders().getFirst(name));
  }

  public List<Heard> heard() {
    return List.copyOf(heard);
  }

  /** Those that were taken. */
  public List<Heard> taken() {
    return heard.stream().filter(one -> one.status() / 100 == 2).toList();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
