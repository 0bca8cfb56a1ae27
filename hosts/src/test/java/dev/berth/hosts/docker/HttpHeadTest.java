package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpHeadTest {
  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String body(String answer, String method) throws IOException {
    InputStream in = in(answer);
    HttpHead head = HttpHead.read(in);
    return new String(head.body(in, method).readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void readsStatusAndHeadersWhateverTheirCase() throws IOException {
    HttpHead head = HttpHead.read(in("HTTP/1.1 409 Conflict\r\nAPI-Version: 1.41\r\n\r\nrest"));
    assertThat(head.status()).isEqualTo(409);
    assertThat(head.headers()).containsEntry("api-version", "1.41");
  }

  @Test
  void bodyHasItsLength() throws IOException {
    assertThat(body("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more", "GET"))
        .isEqualTo("hello");
  }

  @Test
  void chunksAreJoined() throws IOException {
    String answer =
        """
        HTTP/1.1 200 OK
        Transfer-Encoding: chunked

        5
        hello
        6;x=y
        , you!
        0
        Trailer: 1

        more\
        """
            .replace("\n", "\r\n");
    assertThat(body(answer, "GET")).isEqualTo("hello, you!");
  }

  @Test
  void bodyWithoutLengthEndsWithTheConnection() throws IOException {
    assertThat(body("HTTP/1.1 200 OK\r\n\r\nall of it", "POST")).isEqualTo("all of it");
  }

  @Test
  void someAnswersHaveNoBody() throws IOException {
    assertThat(body("HTTP/1.1 204 No Content\r\n\r\nnext", "POST")).isEmpty();
    assertThat(body("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext", "HEAD")).isEmpty();
  }

  @Test
  void cutOffIsAnError() {
    assertThatThrownBy(() -> body("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "GET"))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(
            () -> body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhel", "GET"))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> HttpHead.read(in("HTTP/1.1 200 OK\r\nA: b")))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> HttpHead.read(in("SSH-2.0-OpenSSH\r\n")))
        .isInstanceOf(IOException.class);
  }
}
