package dev.berth.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A collector that takes traces by OTLP over HTTP, and keeps what it is told. */
final class Collector implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Heard> heard = new CopyOnWriteArrayList<>();
  private final List<ExportTraceServiceRequest> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private volatile int status = 200;

  /** A span as tests want to read it. */
  record Heard(Span span) {
    String name() {
      return span.getName();
    }

    String trace() {
      return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    String id() {
      return HexFormat.of().formatHex(span.getSpanId().toByteArray());
    }

    /** Empty for the first span of a trace. */
    String parent() {
      return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    String attribute(String name) {
      return span.getAttributesList().stream()
          .filter(attribute -> attribute.getKey().equals(name))
          .map(KeyValue::getValue)
          .map(
              value ->
                  value.hasStringValue()
                      ? value.getStringValue()
                      : Long.toString(value.getIntValue()))
          .findFirst()
          .orElse("");
    }
  }

  Collector() throws IOException {
    this(0);
  }

  /** One at the place of another one that was closed. */
  Collector(int port) throws IOException {
    // The first message takes long on a busy machine, and a server that stops does not wait.
    ExportTraceServiceRequest _ = ExportTraceServiceRequest.parseFrom(new byte[0]);
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setExecutor(threads);
    http.createContext("/", this::take);
    http.start();
  }

  int port() {
    return http.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  void answering(int newStatus) {
    status = newStatus;
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream in = new GZIPInputStream(exchange.getRequestBody())) {
      ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(in.readAllBytes());
      int answer = exchange.getRequestURI().getPath().equals("/v1/traces") ? status : 404;
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      if (answer == 200) {
        requests.add(request);
        request.getResourceSpansList().stream()
            .flatMap(resource -> resource.getScopeSpansList().stream())
            .flatMap(scope -> scope.getSpansList().stream())
            .forEach(span -> heard.add(new Heard(span)));
      }
      byte[] body = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(answer, body.length == 0 ? -1 : body.length);
    }
  }

  List<Heard> heard() {
    return List.copyOf(heard);
  }

  List<Heard> named(String name) {
    return heard.stream().filter(span -> span.name().equals(name)).toList();
  }

  /**
   * Waits for spans while their server runs, because one that stops gives a busy machine little
   * time to take them.
   */
  void await(String... names) {
    Await.until(() -> Stream.of(names).noneMatch(name -> named(name).isEmpty()));
  }

  /** The only one of its name. */
  Heard one(String name) {
    List<Heard> found = named(name);
    if (found.size() != 1) {
      throw new AssertionError(
          found.size() + " spans '" + name + "' of " + heard.stream().map(Heard::name).toList());
    }
    return found.getFirst();
  }

  /** All that was sent, as text. */
  String text() {
    return requests.toString();
  }

  List<String> authorizations() {
    return List.copyOf(authorizations);
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
