package dev.berth.hosts.docker;

import java.io.IOException;
import java.nio.channels.ByteChannel;

/**
 * Bytes to and from an engine: a socket of this machine, or a stream through a connection to
 * another one. One thread reads while one other writes, and any may close.
 */
public interface EngineChannel extends ByteChannel {
  /** Says that no more will be written; reading goes on. */
  void shutdownOutput() throws IOException;
}
