package dev.berth.hosts.docker;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

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

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
