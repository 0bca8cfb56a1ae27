package dev.berth.model.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A web server on this machine that publishes a catalog in gpuhunt's layout. */
public final class CatalogMirror implements AutoCloseable {
  private final HttpServer server;
  private final String version;
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();

  private final List<String> requested = new CopyOnWriteArrayList<>();

  /**
   * Starts a mirror that has no files yet.
   *
   * @param version the date of its prices, such as 20260822-1
   */
  public CatalogMirror(String version) throws IOException {
    this.version = version;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v3";
  }

  /** Returns the paths requested so far. */
  public List<String> requested() {
    return List.copyOf(requested);
  }

  public CatalogMirror publish(String provider, String csv) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(provider + ".csv"));
      zip.write(csv.getBytes(StandardCharsets.UTF_8));
    }
    String folder = "/v3/" + provider + "/";
    files.put(folder + "version", version.getBytes(StandardCharsets.UTF_8));
    files.put(folder + version + "/catalog.zip", bytes.toByteArray());
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requested.add(path);
    byte[] file = files.get(path);
    if (file == null || exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(file == null ? 404 : 200, -1);
    } else {
      exchange.sendResponseHeaders(200, file.length);
      exchange.getResponseBody().write(file);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
