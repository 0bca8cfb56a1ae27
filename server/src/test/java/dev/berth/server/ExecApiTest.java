package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.client.JobStream;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands inside of running jobs, which are real processes here. */
@Timeout(300)
class ExecApiTest {
  private static final int LARGE = 20 * 1024 * 1024;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  @SuppressWarnings("NullAway.Init") // set before each test
  private JobStreams jobs;

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
    jobs = new JobStreams(running);
  }

  @AfterEach
  void stop() {
    jobs.endAll();
    running.close();
  }

  @Test
  void aCommandHasTheFolderAndVariablesOfTheJob() throws Exception {
    jobs.run("host", "pwd > folder", "export OWN=1", "sleep 600");
    JobStreams.Result result =
        jobs.exec(
            "host",
            "sh",
            "-c",
            // A job runs before its first command has.
            "until [ -s folder ]; do sleep 0.01; done; cat folder; pwd; echo $BERTH_RUN_NAME;"
                + " echo wrong >&2; exit 7");
    String[] lines = result.text().split("\n", -1);
    assertThat(lines[0]).isEqualTo(lines[1]);
    assertThat(lines[2]).isEqualTo("host");
    assertThat(result.errors.toString(StandardCharsets.UTF_8)).isEqualTo("wrong\n");
    assertThat(result.code).isEqualTo(7);
  }

  @Test
  void wordsArriveAsTheyAre() throws Exception {
    jobs.run("host", "sleep 600");
    assertThat(jobs.exec("host", "printf", "%s|", "a b", "", "$HOME", "ä&=+%", "-x").text())
        .isEqualTo("a b||$HOME|ä&=+%|-x|");
  }

  @Test
  void theExitCodeTellsOfSignalsAndOfProgramsThatAreNotThere() throws Exception {
    jobs.run("host", "sleep 600");
    assertThat(jobs.exec("host", "sh", "-c", "kill -TERM $$").code).isEqualTo(143);
    JobStreams.Result missing = jobs.exec("host", "no-such-program");
    assertThat(missing.code).isEqualTo(127);
    assertThat(missing.errors.toString(StandardCharsets.UTF_8))
        .isEqualTo("berth: no-such-program: there is no such program\n");
    assertThat(jobs.exec("host", "/no/such/file").code).isEqualTo(127);
    assertThat(jobs.exec("host", "/").code).isEqualTo(126);
  }

  @Test
  void largeInputComesBackComplete() throws Exception {
    jobs.run("host", "sleep 600");
    MessageDigest sent = MessageDigest.getInstance("SHA-256");
    MessageDigest received = MessageDigest.getInstance("SHA-256");
    AtomicLong size = new AtomicLong();
    JobStream.Receiver receiver =
        bytes -> {
          received.update(bytes);
          size.addAndGet(bytes.length);
        };
    try (JobStream stream = jobs.open("host", receiver, "cat")) {
      byte[] piece = new byte[1024 * 1024];
      Random random = new Random(7);
      for (int i = 0; i < LARGE / piece.length; i++) {
        random.nextBytes(piece);
        sent.update(piece);
        stream.send(piece, 0, piece.length);
      }
      stream.endInput();
      assertThat(stream.await()).isZero();
    }
    assertThat(size).hasValue(LARGE);
    assertThat(received.digest()).isEqualTo(sent.digest());
  }

  /** The command writes on only when somebody has read: its own count of bytes tells how far. */
  @Test
  void aClientThatDoesNotReadHoldsTheCommandUp() throws Exception {
    jobs.run("host", "sleep 600");
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong size = new AtomicLong();
    JobStream.Receiver receiver =
        bytes -> {
          size.addAndGet(bytes.length);
          awaitQuietly(release);
        };
    String script =
        "i=0; while [ $i -lt 20 ]; do head -c 1048576 /dev/zero; i=$((i + 1)); echo $i > wrote;"
            + " done; echo all > wrote";
    try (JobStream stream = jobs.open("host", receiver, "sh", "-c", script)) {
      stream.endInput();
      // A first piece was written, and what follows is held up by pipes and sockets.
      Await.until(() -> size.get() > 0);
      assertThat(jobs.exec("host", "cat", "wrote").text()).isNotEqualTo("all\n");
      release.countDown();
      assertThat(stream.await()).isZero();
    }
    assertThat(size).hasValue(LARGE);
    assertThat(jobs.exec("host", "cat", "wrote").text()).isEqualTo("all\n");
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(2, TimeUnit.MINUTES)) {
        throw new IOException("nobody released it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Test
  void aCommandThatReadsNothingDoesNotKeepItsOwnEndBack() throws Exception {
    jobs.run("host", "sleep 600");
    JobStreams.Result result = new JobStreams.Result();
    try (JobStream stream = jobs.open("host", result, "sh", "-c", "exec <&-; echo over")) {
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(
              () -> {
                byte[] piece = new byte[64 * 1024];
                try {
                  for (int i = 0; i < 64; i++) {
                    stream.send(piece, 0, piece.length);
                  }
                } catch (ClientException e) {
                  assertThat(e.isUnreachable()).isTrue();
                }
              },
              command -> Thread.ofVirtual().start(command));
      assertThat(stream.await()).isZero();
      sender.get(60, TimeUnit.SECONDS);
    }
    assertThat(result.text()).isEqualTo("over\n");
  }

  /** A command that ends at once is not asked whether it wanted its input. */
  @Test
  void inputForACommandThatHasEndedIsDropped() throws Exception {
    jobs.run("host", "sleep 600");
    try (JobStream stream = jobs.open("host", new JobStreams.Result(), "sh", "-c", "exit 3")) {
      assertThat(stream.await()).isEqualTo(3);
      stream.send(new byte[] {'x'}, 0, 1);
      stream.endInput();
      assertThat(stream.await()).isEqualTo(3);
    }
  }

  @Test
  void aCommandWhoseClientGoesIsKilledWithItsChildren() throws Exception {
    jobs.run("host", "sleep 600");
    JobStreams.Result result = new JobStreams.Result();
    JobStream stream =
        jobs.open("host", result, "sh", "-c", "sleep 601 & echo $! $$; wait; echo not here");
    Await.until(() -> result.text().endsWith("\n"));
    String[] processes = result.text().strip().split(" ", -1);
    stream.close();
    for (String process : processes) {
      Await.until(() -> ProcessHandle.of(Long.parseLong(process)).isEmpty());
    }
    assertThat(running.client().get(RunningServer.PROJECT, "host").run().status())
        .isEqualTo("running");
  }

  @Test
  void aCommandEndsWithItsJob() throws Exception {
    jobs.run("host", "sleep 600");
    JobStreams.Result result = new JobStreams.Result();
    try (JobStream stream = jobs.open("host", result, "sh", "-c", "echo begun; sleep 602")) {
      Await.until(() -> result.text().equals("begun\n"));
      jobs.end("host");
      assertThat(stream.await()).isIn(137, 143);
    }
  }

  @Test
  void aRevokedTokenEndsTheCommand() throws Exception {
    jobs.run("host", "sleep 600");
    String secret = new People(running).token("admin", "ci", null, null, null);
    JobStreams.Result result = new JobStreams.Result();
    try (BerthClient ci = new BerthClient(running.server().url(), secret);
        JobStream stream =
            ci.exec(
                RunningServer.PROJECT,
                "host",
                JobStreams.FIRST,
                List.of("sh", "-c", "echo $$; exec sleep 603"),
                result)) {
      Await.until(() -> result.text().endsWith("\n"));
      running.client().access().revokeToken("ci");
      ClientException ended = catchThrowableOfType(ClientException.class, stream::await);
      assertThat(ended).hasMessageContaining("your permission for this was revoked");
      long process = Long.parseLong(result.text().strip());
      Await.until(() -> ProcessHandle.of(process).isEmpty());
    }
  }

  @Test
  void eachCommandIsWrittenDown() throws Exception {
    jobs.run("host", "sleep 600");
    jobs.exec("host", "echo", "seen");
    EventView event =
        running.client().events(RunningServer.PROJECT, 0, 1000, 0).events().stream()
            .filter(one -> one.kind().equals("run.exec"))
            .findFirst()
            .orElseThrow();
    assertThat(event.actor()).isEqualTo("admin");
    assertThat(event.data())
        .isEqualTo(Map.of("name", "host", "node", 0, "command", List.of("echo", "seen")));
  }

  @Test
  void whatCannotBeIsRefusedWithWhatToDo() {
    jobs.run("host", "sleep 600");
    running.submit(RunningServer.task("over", "true"));
    jobs.awaitStatus("over", "done");
    assertRefused(404, "there is no run 'none'", () -> jobs.exec("none", "true"));
    assertRefused(409, "has ended (done)", () -> jobs.exec("over", "true"));
    assertRefused(400, "'command'", () -> jobs.exec("host"));
    assertRefused(400, "'command'", () -> jobs.exec("host", ""));
    assertRefused(
        404,
        "has one node",
        () ->
            running
                .client()
                .exec(
                    RunningServer.PROJECT,
                    "host",
                    new BerthClient.Source(1, 0),
                    List.of("true"),
                    new JobStreams.Result()));
  }

  @Test
  void aJobThatIsBeingStartedCanBeReachedLater() {
    running
        .client()
        .addBackend(
            RunningServer.PROJECT,
            new BackendRequest(
                "cloud", "sim", Map.of("state", "memory", "scenario", Map.of("boot_time", "1h"))));
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task("slow", "true").configuration());
    configuration.put("backends", List.of("cloud"));
    running.submit(new RunRequest("slow", configuration));
    jobs.awaitStatus("slow", "running");
    assertRefused(503, "it is still starting", () -> jobs.exec("slow", "true"));
    jobs.end("slow");
    assertRefused(409, "has ended", () -> jobs.exec("slow", "true"));
  }

  @Test
  void aPlainRequestIsToldWhatToAskFor() throws Exception {
    jobs.run("host", "sleep 600");
    var answer =
        running.request("GET", "/api/v1/projects/main/runs/host/exec?command=true", null, true);
    assertThat(answer.statusCode()).isEqualTo(426);
    assertThat(answer.headers().firstValue("Upgrade")).hasValue("websocket");
    assertThat(answer.body()).contains("becomes a WebSocket");
  }

  static void assertRefused(int status, String part, ThrowingCallable call) {
    ClientException refused = catchThrowableOfType(ClientException.class, call);
    assertThat(refused).hasMessageContaining(part);
    assertThat(refused.status()).isEqualTo(status);
  }
}
