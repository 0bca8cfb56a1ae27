package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP over a plain socket, with a server that says what it is told to. */
@Timeout(60)
class LoopbackTransportTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SHORT = OK + "Content-Length: 2\r\n\r\nhi";

  /** Ends the connection instead of answering. */
  private static final String HANG_UP = "";

  private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
  private ServerSocket server;
  private Transport transport;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    transport = new LoopbackTransport("127.0.0.1", server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    transport.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "content-length: 5\r\n\r\nhello",
        OK + "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n" + OK + "Content-Length: 5\r\n\r\nhello",
        OK + "Connection: close\r\n\r\nhello",
      })
  void readsABodyHoweverItIsAnnounced(String answer) throws Exception {
    serve(List.of(answer, HANG_UP));
    assertThat(text(get(null))).isEqualTo("hello");
    assertThat(heads.take())
        .startsWith("GET /a?b=c HTTP/1.1\nHost: 127.0.0.1:")
        .contains("Accept: all\n");
  }

  @Test
  void usesAConnectionAgain() throws Exception {
    serve(List.of(SHORT, SHORT));
    assertThat(text(get(null))).isEqualTo("hi");
    assertThat(text(get(null))).isEqualTo("hi");
  }

  @Test
  void asksAgainWhereTheServerHadHungUp() throws Exception {
    serve(List.of(SHORT, HANG_UP), List.of(SHORT));
    assertThat(text(get(null))).isEqualTo("hi");
    assertThat(text(get(null))).isEqualTo("hi");
  }

  @Test
  void doesNotRepeatWhatMayHaveHappened() throws Exception {
    serve(List.of(SHORT, HANG_UP), List.of(SHORT));
    assertThat(text(get(null))).isEqualTo("hi");
    Transport.Request post =
        new Transport.Request("POST", "/a", Map.of(), "x".getBytes(StandardCharsets.UTF_8), null);
    assertThatThrownBy(() -> transport.send(post)).hasMessage("the server closed the connection");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        OK + "Content-Length: -1\r\n\r\n",
        OK + "Content-Length: 9\r\n\r\nhello",
        OK + "Transfer-Encoding: chunked\r\n\r\nfive\r\nhello\r\n0\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
      })
  void refusesWhatIsNotAWholeAnswer(String answer) throws Exception {
    serve(List.of(answer, HANG_UP));
    assertThatThrownBy(() -> text(get(null))).isInstanceOf(IOException.class);
  }

  @Test
  void aServerThatIsNotThereRefuses() throws IOException {
    server.close();
    assertThatThrownBy(() -> get(null)).isInstanceOf(ConnectException.class);
  }

  @Test
  void aServerThatIsSilentIsNotWaitedForLonger() {
    assertThatThrownBy(() -> get(Duration.ofMillis(50))).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  asked.countDown();
                  try {
                    get(null).close();
                  } catch (Exception e) {
                    end.complete(e);
                  }
                });
    asked.await();
    caller.interrupt();
    assertThat(end.get()).isInstanceOf(ClosedByInterruptException.class);
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    serve(List.of(OK + "Content-Length: 5\r\n\r\nhe"));
    Transport.Answer answer = get(null);
    CompletableFuture<String> reading =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return text(answer);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    transport.close();
    assertThatThrownBy(reading::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> get(null)).hasMessage("the client is closed");
  }

  private Transport.Answer get(@Nullable Duration within) throws IOException, InterruptedException {
    return transport.send(
        new Transport.Request("GET", "/a?b=c", Map.of("Accept", "all"), new byte[0], within));
  }

  private static String text(Transport.Answer answer) throws IOException {
    try (answer) {
      return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Each list is a connection, and its items the answers that it gives, one for each request. */
  @SafeVarargs
  private void serve(List<String>... connections) {
    Thread.ofVirtual()
        .start(
            () -> {
              for (List<String> answers : connections) {
                try {
                  talk(server.accept(), answers);
                } catch (IOException e) {
                  // The client has hung up, which some tests want.
                }
              }
            });
  }

  private void talk(Socket socket, List<String> answers) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    for (String answer : answers) {
      if (answer.equals(HANG_UP)) {
        socket.close();
        return;
      }
      StringBuilder head = new StringBuilder();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.append(line).append('\n');
      }
      heads.add(head.toString());
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
