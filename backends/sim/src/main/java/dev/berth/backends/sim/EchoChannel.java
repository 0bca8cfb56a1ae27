package dev.berth.backends.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection to a port of a simulated job, where all that is sent comes back. */
final class EchoChannel implements ByteChannel {
  private final BytePipe pipe = new BytePipe();
  private final AtomicBoolean open = new AtomicBoolean(true);

  @Override
  public int read(ByteBuffer into) throws IOException {
    requireOpen();
    byte[] bytes = new byte[into.remaining()];
    int count = pipe.read(bytes, 0, bytes.length);
    if (count > 0) {
      into.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    requireOpen();
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    pipe.write(bytes, 0, bytes.length);
    return bytes.length;
  }

  private void requireOpen() throws ClosedChannelException {
    if (!open.get()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public boolean isOpen() {
    return open.get();
  }

  @Override
  public void close() {
    open.set(false);
    pipe.close();
  }
}
