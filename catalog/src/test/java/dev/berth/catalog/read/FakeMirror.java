package dev.berth.catalog.read;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server on this machine that has files, and faults to order. */
public final class FakeMirror implements AutoCloseable {
  /** How a path is answered instead of with its file. */
  public enum Fault {
    STATUS_500,
    CUT_OFF,
    SILENCE,
    REDIRECT_TO_ITSELF
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What was asked and answered: {@code GET /aws/version 200}. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  public FakeMirror() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public void put(String path, byte[] content) {
    files.put(path, content);
  }

  public void put(String path, String content) {
    put(path, content.getBytes(StandardCharsets.UTF_8));
  }

  public void fail(String path, Fault fault) {
    faults.put(path, fault);
  }

  public void heal() {
    faults.clear();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Fault fault = faults.get(path);
    byte[] content = files.get(path);
    if (fault != null) {
      answer(exchange, fault);
    } else if (content == null) {
      end(exchange, 404);
    } else {
      String etag = "\"" + Arrays.hashCode(content) + "\"";
      exchange.getResponseHeaders().set("ETag", etag);
      exchange.getResponseHeaders().set("Last-Modified", "Sat, 22 Aug 2026 14:28:00 GMT");
      if (etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
        end(exchange, 304);
      } else if (exchange.getRequestMethod().equals("HEAD")) {
        end(exchange, 200);
      } else {
        note(exchange, 200);
        exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
        try (OutputStream body = exchange.getResponseBody()) {
          body.write(content);
        }
      }
    }
  }

  private void answer(HttpExchange exchange, Fault fault) throws IOException {
    switch (fault) {
      case STATUS_500 -> end(exchange, 500);
      case REDIRECT_TO_ITSELF -> {
        exchange.getResponseHeaders().set("Location", exchange.getRequestURI().getPath());
        end(exchange, 302);
      }
      case CUT_OFF -> {
        note(exchange, 200);
        exchange.sendResponseHeaders(200, 1000);
        exchange.getResponseBody().write(new byte[10]);
        exchange.getResponseBody().flush();
        exchange.close();
      }
      case SILENCE -> {
        try {
          closed.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        exchange.close();
      }
    }
  }

  private void end(HttpExchange exchange, int status) throws IOException {
    note(exchange, status);
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private void note(HttpExchange exchange, int status) {
    requests.add(
        exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + " " + status);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.close();
  }
}
