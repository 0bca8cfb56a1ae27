package dev.berth.hosts.docker;

import dev.berth.spi.DuplexChannel;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An answer whose body may still be on its way. Closing it closes the channel.
 *
 * @param headers by their names in lower case
 */
public record EngineResponse(
    int status, Map<String, String> headers, InputStream body, DuplexChannel channel)
    implements AutoCloseable {
  private static final int LONGEST_LINE = 1 << 20;

  public EngineResponse {
    headers = Map.copyOf(headers);
  }

  /** Reads the lines of the body, one after the other, to its end. */
  public void lines(Consumer<String> each) throws IOException {
    InputStream bytes = new BufferedInputStream(body);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = bytes.read(); next >= 0; next = bytes.read()) {
      if (next == '\n') {
        each.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else if (line.size() == LONGEST_LINE) {
        throw new IOException("the engine sent a line without an end");
      } else {
        line.write(next);
      }
    }
    if (line.size() > 0) {
      each.accept(line.toString(StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
