package dev.berth.server;

import static dev.berth.server.ExecApiTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.client.JobStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections with ports of running jobs, where real programs listen. */
@Timeout(300)
class ConnectApiTest {
  private static final int LARGE = 10 * 1024 * 1024;

  /** Programs of jobs are written in Java, which every machine with these tests has. */
  private static final String JAVA =
      "exec '%s' -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
          .formatted(Path.of(System.getProperty("java.home"), "bin", "java"));

  private static final Pattern PORT = Pattern.compile("port (\\d+)\\s");

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

  /** A port at which nobody listens, and nobody can as long as it is bound. */
  private static Socket silentPort() throws IOException {
    Socket bound = new Socket();
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return bound;
  }

  /** The port that a job tells in its output as soon as it listens there. */
  private int portOf(String run) {
    AtomicInteger port = new AtomicInteger();
    Await.until(
        () -> {
          byte[] output =
              running
                  .client()
                  .log(RunningServer.PROJECT, run, JobStreams.FIRST, "stdout", 0)
                  .bytes();
          Matcher told = PORT.matcher(new String(output, StandardCharsets.UTF_8));
          return told.find() && port.compareAndSet(0, Integer.parseInt(told.group(1)));
        });
    return port.get();
  }

  private JobStream connect(String run, int port, JobStream.Receiver receiver) {
    return running.client().connect(RunningServer.PROJECT, run, JobStreams.FIRST, port, receiver);
  }

  @Test
  void bytesGoBothWaysAtOnceAndEachDirectionEndsByItself() throws Exception {
    String classes = EchoServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    jobs.run("echo", JAVA + " -cp '" + classes + "' " + EchoServer.class.getName());
    int port = portOf("echo");
    MessageDigest sent = MessageDigest.getInstance("SHA-256");
    MessageDigest received = MessageDigest.getInstance("SHA-256");
    AtomicLong size = new AtomicLong();
    CountDownLatch ended = new CountDownLatch(1);
    JobStream.Receiver receiver =
        new JobStream.Receiver() {
          @Override
          public void output(byte[] bytes) {
            received.update(bytes);
            size.addAndGet(bytes.length);
          }

          @Override
          public void outputEnded() {
            ended.countDown();
          }
        };
    try (JobStream stream = connect("echo", port, receiver)) {
      byte[] piece = new byte[1024 * 1024];
      Random random = new Random(11);
      for (int i = 0; i < LARGE / piece.length; i++) {
        random.nextBytes(piece);
        sent.update(piece);
        stream.send(piece, 0, piece.length);
      }
      stream.endInput();
      assertThat(stream.await()).isZero();
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(size).hasValue(LARGE);
    assertThat(received.digest()).isEqualTo(sent.digest());
  }

  @Test
  void aConnectionGoesOnWhileOthersComeAndGo() throws Exception {
    jobs.run(
        "pages",
        "mkdir pages",
        "echo here > pages/index.html",
        JAVA + " -m jdk.httpserver -b 127.0.0.1 -p 0 -d \"$PWD/pages\"");
    int port = portOf("pages");
    for (int i = 0; i < 5; i++) {
      JobStreams.Result page = new JobStreams.Result();
      try (JobStream stream = connect("pages", port, page)) {
        byte[] request = "GET /index.html HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        stream.send(request, 0, request.length);
        stream.endInput();
        stream.await();
      }
      assertThat(page.text()).startsWith("HTTP/1.1 200").endsWith("here\n");
    }
  }

  @Test
  void whatCannotBeReachedIsRefusedWithWhatToDo() throws IOException {
    jobs.run("host", "sleep 600");
    JobStreams.Result nobody = new JobStreams.Result();
    try (Socket silent = silentPort()) {
      int port = silent.getLocalPort();
      assertRefused(
          503, "nothing is listening on port " + port, () -> connect("host", port, nobody));
    }
    assertRefused(400, "'0' is not a port", () -> connect("host", 0, nobody));
    assertRefused(400, "'70000' is not a port", () -> connect("host", 70_000, nobody));
    assertRefused(404, "there is no run 'none'", () -> connect("none", 80, nobody));
    running.submit(RunningServer.task("over", "true"));
    jobs.awaitStatus("over", "done");
    assertRefused(409, "has ended", () -> connect("over", 80, nobody));
  }

  @Test
  void aViewerMayNotAndAUserMay() throws Exception {
    People people = new People(running);
    jobs.run("host", "sleep 600");
    String viewer = people.member("vera", RunningServer.PROJECT, "viewer");
    String user = people.member("ute", RunningServer.PROJECT, "user");
    try (BerthClient vera = new BerthClient(running.server().url(), viewer);
        BerthClient ute = new BerthClient(running.server().url(), user);
        Socket silent = silentPort()) {
      JobStreams.Result nobody = new JobStreams.Result();
      assertRefused(
          403,
          "needs the role user",
          () -> vera.connect(RunningServer.PROJECT, "host", JobStreams.FIRST, 80, nobody));
      assertRefused(
          503,
          "nothing is listening",
          () ->
              ute.connect(
                  RunningServer.PROJECT, "host", JobStreams.FIRST, silent.getLocalPort(), nobody));
    }
    try (BerthClient wrong = new BerthClient(running.server().url(), "berth_wrong")) {
      assertRefused(
          401,
          "token",
          () ->
              wrong.connect(
                  RunningServer.PROJECT, "host", JobStreams.FIRST, 80, new JobStreams.Result()));
    }
  }
}
