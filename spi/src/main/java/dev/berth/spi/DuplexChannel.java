package dev.berth.spi;

import java.io.IOException;
import java.nio.channels.ByteChannel;

/**
 * Bytes to and from something that listens: a socket, or a channel of a connection to another
 * machine. One thread reads while one other writes, and any may close.
 */
public interface DuplexChannel extends ByteChannel {
  /** Says that no more will be written; reading goes on. */
  void shutdownOutput() throws IOException;
}
