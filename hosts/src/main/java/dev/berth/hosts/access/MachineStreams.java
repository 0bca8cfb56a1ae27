package dev.berth.hosts.access;

import dev.berth.spi.DuplexChannel;
import java.io.IOException;
import java.time.Duration;

/** Connections to what listens on a machine. */
public interface MachineStreams {
  /**
   * Connects to a port, as a process of the machine would.
   *
   * @param host an address or name as the machine knows it, such as 127.0.0.1
   * @throws IOException where nobody listens, or not in time
   */
  DuplexChannel tcp(String host, int port, Duration patience) throws IOException;

  /**
   * Connects to a Unix socket.
   *
   * @throws IOException where nobody listens, or we may not
   */
  DuplexChannel unixSocket(MachinePath socket) throws IOException;
}
