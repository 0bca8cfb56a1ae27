package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import java.io.IOException;

/** The server's end of a connection for frames. Safe for any thread. */
interface FrameSocket {
  /**
   * Sends a message, and returns when it is on its way: whoever reads from a job reads on only when
   * the client has taken what was there.
   *
   * @throws IOException when the connection is gone
   */
  void send(StreamChannel channel, byte[] bytes, int length)
      throws IOException, InterruptedException;

  /** Sends how it ended, where that is still possible, and closes the connection. */
  void end(StreamOutcome outcome);
}
