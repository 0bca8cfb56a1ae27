package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What goes on over a connection that a request has become. {@link #begin} is called once at most,
 * before any {@link #received}; those come one after the other, and the client sends nothing more
 * while one has not returned. {@link #close} may come at any time, from any thread, also twice.
 */
interface Conversation extends AutoCloseable {
  /** The connection is there. Returns at once. */
  void begin(FrameSocket socket);

  /**
   * A message of the client. To wait here is to let the client wait.
   *
   * @throws IOException where nobody is left who wants it
   */
  void received(StreamChannel channel, ByteBuffer bytes) throws IOException, InterruptedException;

  /** The connection is gone, or never was: everything that was opened for it ends. */
  @Override
  void close();
}
