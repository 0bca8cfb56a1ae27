package dev.berth.hosts.docker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An answer whose body may still be on its way. Closing it closes the channel.
 *
 * @param headers by their names in lower case
 */
public record EngineResponse(
    int status, Map<String, String> headers, InputStream body, EngineChannel channel)
    implements AutoCloseable {
  public EngineResponse {
    headers = Map.copyOf(headers);
  }

  /** Reads the lines of the body, one after the other, to its end. */
  public void lines(Consumer<String> each) throws IOException {
    BufferedReader reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      each.accept(line);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
