package dev.berth.server.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.model.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Puts that meet others, at a store that answers what a test has written down. */
@Timeout(120)
class S3PutTest {
  private static final byte[] BYTES = BlobStoreContract.bytes(10, 1);
  private static final BlobName NAME = BlobStoreContract.name("a", BYTES);

  @TempDir private Path temporary;

  /** The sizes of the object at each look; -1 where it is not there. The last one stays. */
  private final Deque<Integer> sizes = new ArrayDeque<>();

  /** The answers to puts; the last one stays. */
  private final Deque<Integer> answers = new ArrayDeque<>();

  private final List<String> puts = new ArrayList<>();
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    http.createContext("/", this::answer);
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private static int next(Deque<Integer> script) {
    return script.size() > 1 ? script.remove() : script.element();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      boolean copy = exchange.getRequestHeaders().containsKey("x-amz-copy-source");
      String path = exchange.getRequestURI().getPath();
      if (exchange.getRequestMethod().equals("HEAD") && path.contains(NAME.digest())) {
        int size = next(sizes);
        exchange.getResponseHeaders().add("Content-Length", Integer.toString(Math.max(size, 0)));
        exchange.getResponseHeaders().add("Last-Modified", "Tue, 17 Nov 2026 12:00:00 GMT");
        exchange.sendResponseHeaders(size < 0 ? 404 : 200, -1);
      } else if (exchange.getRequestMethod().equals("PUT") && !copy) {
        puts.add(String.valueOf(exchange.getRequestHeaders().getFirst("If-None-Match")));
        exchange.sendResponseHeaders(next(answers), -1);
      } else {
        byte[] body = "<CopyObjectResult><ETag>x</ETag></CopyObjectResult>".getBytes(UTF_8);
        exchange.sendResponseHeaders(200, copy ? body.length : -1);
        if (copy) {
          exchange.getResponseBody().write(body);
        }
      }
    }
  }

  private BlobStore open() {
    return S3BlobStore.open(
        new S3Settings(
            "berth",
            "",
            "us-east-1",
            "http://127.0.0.1:" + http.getAddress().getPort(),
            true,
            "key",
            Secret.of("secret")),
        temporary,
        InstantSource.system());
  }

  private void put() {
    try (BlobStore store = open()) {
      store.put(NAME, new ByteArrayInputStream(BYTES));
    }
  }

  @Test
  void aConflictIsNoSuccess() {
    sizes.add(-1);
    answers.addAll(List.of(409, 409, 200));
    put();
    assertThat(puts).containsExactly("*", "*", "*");
  }

  @Test
  void whatAnotherServerHasPutMeanwhileIsEnough() {
    sizes.addAll(List.of(-1, BYTES.length));
    answers.add(412);
    put();
    assertThat(puts).containsExactly("*");
  }

  @Test
  void aConflictThatStaysIsSaidSo() {
    sizes.add(-1);
    answers.add(409);
    assertThatThrownBy(this::put)
        .isInstanceOfSatisfying(
            BlobException.class, e -> assertThat(e.code().retryable()).isTrue());
  }

  @Test
  void whatHasAnotherSizeIsReplaced() {
    sizes.add(3);
    answers.add(200);
    put();
    assertThat(puts).containsExactly("null");
  }

  @Test
  void openingDeletesWhatAKilledServerLeft() throws IOException {
    Path old = Files.createFile(temporary.resolve(VerifiedFile.PREFIX + "1"));
    Path young = Files.createFile(temporary.resolve(VerifiedFile.PREFIX + "2"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    open().close();
    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }
}
