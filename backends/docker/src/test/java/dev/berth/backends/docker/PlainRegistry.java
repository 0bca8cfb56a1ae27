package dev.berth.backends.docker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A registry that has an image under each name that it is asked for: that without a shell, which
 * prints its users. Images of two names differ. Engines speak to it without TLS, as it is on this
 * machine.
 */
final class PlainRegistry implements AutoCloseable {
  private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

  private final AtomicInteger version = new AtomicInteger(1);

  private final HttpServer server;
  private final Dam front;
  private final String architecture;
  private final byte[] layer = TestImages.shelllessFiles();
  private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();

  PlainRegistry(String architecture) throws IOException {
    this.architecture = architecture;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    blobs.put(digest(layer), layer);
    server.createContext("/v2/", this::answer);
    server.start();
    this.front = new Dam(server.getAddress().getPort(), Long.MAX_VALUE);
  }

  String image(String name) {
    return image(name, "1");
  }

  /** Images of one name and different tags are the same. */
  String image(String name, String tag) {
    return "localhost:" + front.port() + "/" + name + ":" + tag;
  }

  /** From now on, other images have the names. */
  void renew() {
    version.incrementAndGet();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    try (exchange) {
      if (path.length < 5) {
        send(exchange, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
      } else if (path[3].equals("manifests")) {
        send(exchange, MANIFEST, manifest(path[2]));
      } else {
        send(exchange, "application/octet-stream", blobs.get(path[4]));
      }
    }
  }

  private byte[] manifest(String name) {
    byte[] config =
        """
        {"architecture":"%s","os":"linux",
         "config":{"Entrypoint":["/cat"],"Cmd":["/etc/passwd"],"Labels":{"name":"%s","version":"%d"}},
         "rootfs":{"type":"layers","diff_ids":["%s"]}}\
        """
            .formatted(architecture, name, version.get(), digest(layer))
            .getBytes(StandardCharsets.UTF_8);
    blobs.put(digest(config), config);
    return """
    {"schemaVersion":2,"mediaType":"%s",
     "config":{"mediaType":"application/vnd.docker.container.image.v1+json","size":%d,"digest":"%s"},
     "layers":[{"mediaType":"application/vnd.docker.image.rootfs.diff.tar","size":%d,"digest":"%s"}]}\
    """
        .formatted(MANIFEST, config.length, digest(config), layer.length, digest(layer))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, String type, byte @Nullable [] body)
      throws IOException {
    if (body == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Docker-Content-Digest", digest(body));
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private static String digest(byte[] bytes) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException failure) {
      throw new IllegalStateException("every JDK has SHA-256", failure);
    }
  }

  @Override
  public void close() {
    front.close();
    server.stop(0);
  }
}
