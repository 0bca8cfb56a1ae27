package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.control.Lease;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.PostgresAddress;
import dev.berth.ledger.PostgresLedger;
import dev.berth.ledger.Tenure;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.FolderBlobStore;
import dev.berth.server.ssh.OpenSshKey;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stands by for one that is a test, on a real PostgreSQL. */
@Timeout(180)
class StandbyTroubleTest {
  private static EmbeddedPostgres postgres;

  private final CompletableFuture<String> standsBy = new CompletableFuture<>();
  private final CompletableFuture<RunningServer> active = new CompletableFuture<>();

  @TempDir Path home;
  @TempDir Path shared;
  private Ledger ledger;
  private Tenure tenure;
  private Lease lease;

  @BeforeAll
  static void start() throws IOException {
    postgres = TestPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @BeforeEach
  void beActive() throws Exception {
    change("DROP SCHEMA public CASCADE");
    change("CREATE SCHEMA public");
    Files.writeString(home.resolve("server.yml"), "blobs: {folder: " + shared + "}\n");
    ledger = PostgresLedger.open(PostgresAddress.of(TestPostgres.address(postgres)));
    tenure = ledger.takeOver(Ledger.MAIN_REALM, "a test");
    lease = Lease.begin(ledger, tenure);
  }

  @AfterEach
  void leave() {
    lease.close();
    ledger.close();
  }

  private void standBy() {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                active.complete(
                    new RunningServer(home, environment(), (url, _) -> standsBy.complete(url)));
              } catch (IOException | RuntimeException e) {
                active.completeExceptionally(e);
                standsBy.completeExceptionally(e);
              }
            });
  }

  private static Map<String, String> environment() {
    return TestPostgres.environment(postgres);
  }

  private void stepDown() {
    lease.close();
    ledger.release(tenure);
  }

  @Test
  void aHomeOfAnotherInstallationIsRefusedBeforeItStandsBy(@TempDir Path other) throws Exception {
    Installation.of(ledger, tenure, other);
    new RunningServer(home).close();
    assertThatThrownBy(() -> new RunningServer(home, environment(), (_, _) -> {}))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("another installation");
    ledger.renew(tenure);
  }

  @Test
  void aStoreThatTurnsOutToBeAnotherOneIsRefusedWhileItStandsBy(@TempDir Path other)
      throws Exception {
    standBy();
    standsBy.get(60, TimeUnit.SECONDS);
    String mark = Installation.of(ledger, tenure, other);
    try (BlobStore store = FolderBlobStore.open(other.resolve("blobs"), InstantSource.system())) {
      Installation.markStore(ledger, tenure, store, mark);
    }
    assertThatThrownBy(() -> active.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(BlobException.class);
    ledger.renew(tenure);
  }

  @Test
  void keysThatTurnOutToBeOthersAreRefusedWhileItStandsBy(@TempDir Path other) throws Exception {
    standBy();
    standsBy.get(60, TimeUnit.SECONDS);
    Files.createDirectories(other.resolve("server"));
    new KeptSecrets(ledger, other).bringUnderFirst(tenure, ServerKeys.make(other));
    assertThatThrownBy(() -> active.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LedgerException.class)
        .hasMessageContaining("is not there");
    ledger.renew(tenure);
  }

  private OpenSshKey sshKey(Path data, Keyring keys) throws IOException {
    return new InstallationKey(ledger, data).open(tenure, keys, new KeptSecrets(ledger, data));
  }

  @Test
  void anotherSshKeyIsRefusedBeforeItStandsBy(@TempDir Path other) throws Exception {
    sshKey(other, ServerKeys.make(other));
    Files.createDirectories(home.resolve("server"));
    Path file = home.resolve("server/ssh.key");
    Files.writeString(file, OpenSshKey.generate(new SecureRandom()).privateKey());
    assertThatThrownBy(() -> new RunningServer(home, environment(), (_, _) -> {}))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("Move it away");
    ledger.renew(tenure);
  }

  @Test
  void theSshKeyIsEncryptedAnewUnderTheFirstKey(@TempDir Path other) throws Exception {
    Keyring.Key old = Keyring.Key.aes(bytes(1));
    Keyring.Key young = Keyring.Key.aes(bytes(2));
    OpenSshKey made = sshKey(other, ring(old));
    assertThat(sshKey(other.resolve("second"), ring(young, old))).isEqualTo(made);
    assertThat(sshKey(other.resolve("third"), ring(young))).isEqualTo(made);
    assertThatThrownBy(() -> sshKey(other.resolve("fourth"), ring(old)))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("the SSH key of the installation");
  }

  private static byte[] bytes(int each) {
    byte[] bytes = new byte[Keyring.Key.BYTES];
    Arrays.fill(bytes, (byte) each);
    return bytes;
  }

  private static Keyring ring(Keyring.Key... keys) {
    return new Keyring(List.of(keys), new SecureRandom());
  }

  @Test
  void whoWaitsForTheActiveServerIsToldToAskAgainWhenThisOneTakesOver() throws Exception {
    standBy();
    String url = standsBy.get(60, TimeUnit.SECONDS);
    try (HttpClient http = HttpClient.newHttpClient()) {
      CompletableFuture<HttpResponse<String>> waiting =
          http.sendAsync(
              HttpRequest.newBuilder(URI.create(url + "/api/v1/openapi.json")).build(),
              HttpResponse.BodyHandlers.ofString());
      Await.until(() -> count("inbox") == 1);
      stepDown();
      HttpResponse<String> answer = waiting.get(60, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
    active.get(60, TimeUnit.SECONDS).close();
    assertThat(count("inbox")).isZero();
  }

  @Test
  void noConnectionIsRefusedOrCutWhileItTakesOver() throws Exception {
    standBy();
    URI url = URI.create(standsBy.get(60, TimeUnit.SECONDS));
    Set<String> states = ConcurrentHashMap.newKeySet();
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> visits =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!over.get()) {
                states.add(healthByANewConnection(url));
                count++;
              }
              return count;
            });
    try (Socket kept = new Socket(url.getHost(), url.getPort())) {
      assertThat(healthBy(kept)).isEqualTo("standby");
      Await.until(() -> states.contains("standby"));
      stepDown();
      try (RunningServer server = active.get(60, TimeUnit.SECONDS)) {
        Await.until(() -> states.contains("ok"));
        assertThat(healthBy(kept)).as("a connection goes on").isEqualTo("ok");
        over.set(true);
        assertThat(visits.get(60, TimeUnit.SECONDS)).isGreaterThan(10);
        assertThat(states).containsExactlyInAnyOrder("standby", "ok");
        JobStreams streams = new JobStreams(server);
        streams.run("one", "sleep 60");
        assertThat(streams.exec("one", "echo", "by the same port").text())
            .isEqualTo("by the same port\n");
        streams.endAll();
      }
    } finally {
      over.set(true);
    }
  }

  private static String healthByANewConnection(URI url) {
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      return healthBy(socket);
    } catch (IOException e) {
      return "no answer: " + e;
    }
  }

  /** What a server says it is; leaves the connection open. */
  private static String healthBy(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write("GET /api/v1/health HTTP/1.1\r\nHost: berth\r\n\r\n".getBytes(UTF_8));
    BufferedReader answer =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    int length = 0;
    for (String line = answer.readLine(); line != null; line = answer.readLine()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
      if (line.isEmpty()) {
        char[] body = new char[length];
        for (int read = 0; read < length; ) {
          int more = answer.read(body, read, length - read);
          if (more < 0) {
            return "half an answer";
          }
          read += more;
        }
        return ApiJson.MAPPER.readTree(new String(body)).path("status").asString();
      }
    }
    return "an end without an answer";
  }

  @Test
  void aServerThatMayOnlyReadGoesOnStandingBy() throws Exception {
    change("UPDATE understood_by SET writer = 1000");
    stepDown();
    standBy();
    String url = standsBy.get(60, TimeUnit.SECONDS);
    change("UPDATE understood_by SET writer = 1");
    try (RunningServer server = active.get(60, TimeUnit.SECONDS)) {
      assertThat(server.server().url()).isEqualTo(url);
    }
  }

  private static void change(String sql) throws SQLException {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(String table) {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var result = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return result.next() ? result.getInt(1) : 0;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
