package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.ProblemView;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that were made to harm the server, or to get around its rules. */
@Timeout(120)
class HostileRequestsTest {
  private static final String PROJECT = "/projects/" + RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sender sender;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String admin;

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
    sender = new Sender(running.server().url(), "127.0.0.1");
    admin = new People(running).user("root", "admin");
  }

  @AfterEach
  void stop() {
    sender.close();
    running.close();
  }

  private static String task(String commands) {
    return "{\"name\": \"abc\", \"configuration\": {\"type\": \"task\", \"commands\": ["
        + commands
        + "]}}";
  }

  private static List<FieldProblem> errors(Sender.Answer answer) {
    assertThat(answer.response().headers().firstValue("Content-Type"))
        .contains("application/problem+json");
    return ApiJson.MAPPER.readValue(answer.body(), ProblemView.class).errors();
  }

  private Sender.Answer sent(String method, String path, String header, String value) {
    return sender.send(
        HttpRequest.newBuilder(URI.create(running.server().url() + "/api/v1" + path))
            .method(method, HttpRequest.BodyPublishers.ofString("{}"))
            .header("Authorization", "Bearer " + admin)
            .header(header, value)
            .build());
  }

  @Test
  void aBodyThatNoFileNeedsIsRefusedUnread() {
    String viewer = new People(running).member("ann", RunningServer.PROJECT, "viewer");
    Sender.Answer answer =
        sender.send("POST", PROJECT + "/runs/plan", task("{},".repeat(5_200_000) + "{}"), viewer);
    assertThat(answer.status()).as(answer.body()).isEqualTo(413);
    assertThat(answer.detail()).contains("more than the 4,194,304 bytes");
    assertThat(errors(answer)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "1", "{\"a\":[]}"})
  void aBodyOfMoreValuesThanAFileHasIsRefusedBeforeAnythingIsMadeOfIt(String value)
      throws Exception {
    String viewer = new People(running).member("ann", RunningServer.PROJECT, "viewer");
    String body = task((value + ",").repeat(520_000) + value);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Sender.Answer>> sent = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        sent.add(clients.submit(() -> sender.send("POST", PROJECT + "/runs/plan", body, viewer)));
      }
      // Whoever asks for something else is answered meanwhile.
      assertThat(running.client().list(RunningServer.PROJECT, true, 10, null).runs()).isEmpty();
      for (Future<Sender.Answer> one : sent) {
        Sender.Answer answer = one.get();
        assertThat(answer.status()).as(answer.body()).isIn(400, 413, 503);
        assertThat(answer.detail())
            .containsAnyOf("more than the 500,000 values", "more than the", "other large requests");
      }
    }
  }

  /** What is just small enough to be read is refused in one piece, too. */
  @Test
  void aBodyOfAsManyValuesAsMayBeHarmsNobody() throws Exception {
    String viewer = new People(running).member("ann", RunningServer.PROJECT, "viewer");
    String body = task("[],".repeat(240_000) + "[]");
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Sender.Answer>> sent = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        sent.add(clients.submit(() -> sender.send("POST", PROJECT + "/runs/plan", body, viewer)));
      }
      assertThat(running.client().list(RunningServer.PROJECT, true, 10, null).runs()).isEmpty();
      for (Future<Sender.Answer> one : sent) {
        assertThat(one.get().status()).as(one.get().body()).isIn(422, 503);
      }
    }
  }

  @Test
  void aBodyThatNestsDeeperThanAnyFileIsRefused() {
    Sender.Answer answer =
        sender.send("POST", PROJECT + "/runs/plan", task("[".repeat(90) + "]".repeat(90)), admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.detail()).contains("nesting depth");
  }

  @Test
  void theLargestFileIsTaken() {
    String command = "x".repeat(1024 * 1024);
    Sender.Answer answer =
        sender.send("POST", PROJECT + "/runs/plan", task("\"" + command + "\""), admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void aMethodIsWhatTheFirstLineOfTheRequestSays() {
    running.outputOf(running.submit(RunningServer.task("kept", "true")).id());
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(running.server().url() + "/api/v1" + PROJECT + "/runs/kept"))
            .header("Authorization", "Bearer " + admin)
            .header("X-HTTP-Method-Override", "DELETE")
            .build();
    Sender.Answer answer = sender.send(request);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().has("attempts")).as("this is what GET shows").isTrue();
    assertThat(running.client().get(RunningServer.PROJECT, "kept").run().name()).isEqualTo("kept");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"chunks\":[{\"size\":0}]} | chunks[0].digest",
        "{\"chunks\":[{\"digest\":null,\"size\":1}]} | chunks[0].digest",
        "{\"chunks\":[{\"digest\":\"x\",\"size\":1}]} | chunks[0]",
        "{\"chunks\":[{\"digest\":5,\"size\":1}]} | chunks[0].digest",
        "{\"chunks\":[{\"digest\":\"x\",\"size\":\"1\"}]} | chunks[0].size",
        "{\"chunks\":[{\"digest\":\"x\",\"size\":1.5}]} | chunks[0].size",
        "{\"chunks\":[{\"digest\":\"x\",\"size\":1e30}]} | chunks[0].size",
        "{\"chunks\":[{\"digest\":\"x\",\"size\":1,\"more\":1}]} | chunks[0].more",
      })
  void aPieceWithoutADigestIsRefusedWithItsField(String body, String field) {
    Sender.Answer answer = sender.send("POST", PROJECT + "/uploads", body, admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(errors(answer)).extracting(FieldProblem::path).containsExactly(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"chunks\":null}", "{\"chunks\":[null]}", "[]", "null", ""})
  void anArchiveWithoutPiecesIsRefused(String body) {
    Sender.Answer answer = sender.send("POST", PROJECT + "/uploads", body, admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.detail()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "OPTIONS", "TRACE", "BREW"})
  void aMethodThatAPathDoesNotHaveIsNotAllowed(String method) {
    Sender.Answer answer = sender.send(method, PROJECT + "/runs", null, admin);
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.response().headers().firstValue("Allow")).contains("GET, POST");
    assertThat(errors(answer)).isEmpty();
    assertThat(sender.send(method, "/nothing", null, admin).status()).isEqualTo(404);
    assertThat(sender.send("POST", "/openapi.json", null, admin).status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\": false}",
        "{\"name\": 5}",
        "{\"name\": 1.5}",
        "{\"name\": [\"a\"]}",
        "{\"name\": \"first\", \"name\": \"second\"}",
        "{\"name\": \"ok\"} {}",
      })
  void whatIsNoTextOrStandsTwiceIsNotTaken(String body) {
    Sender.Answer answer = sender.send("POST", "/projects", body, admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(running.client().access().projects().projects())
        .extracting("name")
        .containsExactly(RunningServer.PROJECT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": false} | name: expected text",
        "{\"name\": 1.5} | name: expected text",
        "{\"name\": [\"a\"]} | name: expected text",
        "{\"name\": {}} | name: expected text",
        "[] | the body: expected an object",
        "5 | the body: expected an object",
        "{\"name\": \"a\", \"name\": \"b\"} | the body has the field \"name\" twice",
        "{\"name\": x} | the body is not valid JSON; the first mistake is at line 1, column 10",
        "{ | the body is not valid JSON; the first mistake is at line 1, column 2",
      })
  void aMistakeIsNamedInPlainWords(String body, String detail) {
    assertThat(sender.send("POST", "/projects", body, admin).detail()).isEqualTo(detail);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PROJECT + "/uploads",
        PROJECT + "/offers",
        PROJECT + "/backends/local/check",
        PROJECT + "/backends/suggest",
        PROJECT + "/secrets/x/reveal",
        PROJECT + "/runs",
        "/projects",
      })
  void aKeyThatIsTooLongIsRefusedEverywhere(String path) {
    Sender.Answer answer = sent("POST", path, "Idempotency-Key", "k".repeat(201));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.detail()).contains("has 1 to 200 characters");
  }

  @Test
  void aHeadThatIsTooLongIsRefusedWithAProblemDocument() {
    Sender.Answer answer = sent("GET", "/info", "X-Long", "x".repeat(70_000));
    assertThat(answer.status()).isEqualTo(431);
    assertThat(answer.detail()).contains("more than the 65,536 bytes");
    assertThat(errors(answer)).isEmpty();
  }

  @Test
  void whatIsNoRequestIsRefusedWithAProblemDocument() throws IOException {
    URI url = URI.create(running.server().url());
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write("NONSENSE\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bearer", "BEARER", "Bearer"})
  void theSchemeOfATokenIsWrittenInAnyCase(String scheme) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(running.server().url() + "/api/v1/info"))
            .header("Authorization", scheme + " " + admin)
            .build();
    assertThat(sender.send(request).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "~/../tmp/x, home",
    "a/../../x, working directory",
    "../x, working directory",
  })
  void aFileThatWouldLeaveItsFolderIsRefused(String target, String folder) {
    String body =
        "{\"configuration\": {\"type\": \"task\", \"commands\": [\"true\"], \"files\":"
            + " [{\"local_path\": \"x\", \"path\": \""
            + target
            + "\"}]}}";
    Sender.Answer answer = sender.send("POST", PROJECT + "/runs/plan", body, admin);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().get("refusals").toString())
        .contains("files[0].path")
        .contains("leads out of the job's " + folder);
    assertThat(sender.send("POST", PROJECT + "/runs", body, admin).status()).isEqualTo(422);
  }

  /** Who is gone in the middle of a body costs a line at most, and no trace. */
  @ParameterizedTest
  @ValueSource(strings = {"POST %s/runs/plan", "PUT %s/uploads/chunks/%s", "POST %s/uploads"})
  void aClientThatVanishesCostsOneLine(String line) throws Exception {
    List<LogRecord> told = new CopyOnWriteArrayList<>();
    Handler listening =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
              told.add(logged);
            }
          }

          @Override
          public void flush() {
            // Nothing is held back.
          }

          @Override
          public void close() {
            // Nothing is open.
          }
        };
    Logger root = Logger.getLogger("");
    root.addHandler(listening);
    Path other = Files.createDirectory(home.resolve("other"));
    try (RunningServer server = new RunningServer(other)) {
      String token = Files.readString(other.resolve("token")).strip();
      URI url = URI.create(server.server().url());
      for (int i = 0; i < 5; i++) {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
          // Its end is a reset, as that of a machine that is gone.
          socket.setSoLinger(true, 0);
          String head =
              line.formatted("/api/v1" + PROJECT, "0".repeat(64))
                  + " HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nAuthorization: Bearer "
                  + token
                  + "\r\n\r\n{\"name\"";
          socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          socket.getOutputStream().flush();
          // What is asked now comes after what was sent before.
          assertThat(server.client().list(RunningServer.PROJECT, true, 10, null).runs()).isEmpty();
        }
      }
    } finally {
      root.removeHandler(listening);
    }
    // The server has ended, so that all were answered, though nobody hears it.
    assertThat(told).hasSizeLessThanOrEqualTo(5).allMatch(one -> one.getThrown() == null);
  }
}
