package dev.berth.hosts.docker;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineStreams;
import dev.berth.spi.DuplexChannel;
import java.io.IOException;

/**
 * An engine of a machine, behind its socket file.
 *
 * @param streams the way to what listens on the machine
 */
public record UnixEngine(MachineStreams streams, MachinePath socket) implements EngineAddress {
  @Override
  public DuplexChannel open() throws IOException {
    return streams.unixSocket(socket);
  }

  /** As the engine's own tools write it, for messages. */
  @Override
  public String toString() {
    return "unix://" + socket;
  }
}
