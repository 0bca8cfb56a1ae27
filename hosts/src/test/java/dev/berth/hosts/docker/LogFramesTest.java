package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogFramesTest {
  private static LogFrames frames(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return new LogFrames(new ByteArrayInputStream(all));
  }

  private static byte[] frame(int stream, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    byte[] frame = new byte[8 + words.length];
    frame[0] = (byte) stream;
    frame[7] = (byte) words.length;
    System.arraycopy(words, 0, frame, 8, words.length);
    return frame;
  }

  @Test
  void streamsAreKeptApart() throws IOException {
    LogFrames frames = frames(frame(1, "out"), frame(2, "err"), frame(1, ""));
    LogFrames.Frame first = frames.next().orElseThrow();
    LogFrames.Frame second = frames.next().orElseThrow();
    assertThat(first.errors()).isFalse();
    assertThat(new String(first.bytes(), StandardCharsets.UTF_8)).isEqualTo("out");
    assertThat(second.errors()).isTrue();
    assertThat(frames.next().orElseThrow().bytes()).isEmpty();
    assertThat(frames.next()).isEqualTo(Optional.empty());
  }

  @Test
  void whatIsCutOffOrNoFrameIsAnError() {
    assertThatThrownBy(() -> frames(new byte[] {1, 0, 0}).next()).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> frames(new byte[] {1, 0, 0, 0, 0, 0, 0, 5, 'a'}).next())
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> frames("plain text".getBytes(StandardCharsets.UTF_8)).next())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown form");
  }
}
