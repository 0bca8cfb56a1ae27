package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import dev.berth.spi.DuplexChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/** A port of a job, at the other end of a connection. */
final class PortConversation implements Conversation {
  private static final System.Logger LOG = System.getLogger(PortConversation.class.getName());
  private static final int PIECE = 32 * 1024;

  private final ByteChannel port;
  private final Runnable over;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean half = new AtomicBoolean();

  /** Written by {@link #begin}, which comes before all others. */
  private volatile FrameSocket socket = new Nobody();

  /**
   * The conversation with a port that was reached.
   *
   * @param over called once, when nothing of it is left
   */
  PortConversation(ByteChannel port, Runnable over) {
    this.port = port;
    this.over = over;
  }

  @Override
  public void begin(FrameSocket with) {
    socket = with;
    Thread.ofVirtual().name("port-output").start(this::read);
  }

  private void read() {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    try {
      while (port.read(piece) >= 0) {
        socket.send(StreamChannel.OUTPUT, piece.array(), piece.position());
        piece.clear();
      }
      socket.send(StreamChannel.END, new byte[] {StreamChannel.OUTPUT.code()}, 1);
      endIfBothDid();
    } catch (ClosedChannelException e) {
      // We have closed it, and whoever did has said why.
      LOG.log(System.Logger.Level.DEBUG, "A port is not read any more", e);
    } catch (IOException e) {
      broke(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  /** The second of the two directions that ends is the end of all. */
  private void endIfBothDid() {
    if (!half.compareAndSet(false, true)) {
      socket.end(new StreamOutcome(null, null));
      close();
    }
  }

  private void broke(IOException e) {
    if (!closed.get()) {
      socket.end(StreamOutcome.failed("the connection to the port broke: " + e.getMessage()));
      close();
    }
  }

  @Override
  public void received(StreamChannel channel, ByteBuffer bytes) {
    try {
      if (channel == StreamChannel.INPUT) {
        while (bytes.hasRemaining()) {
          port.write(bytes);
        }
      } else if (channel == StreamChannel.END) {
        // Of a channel that cannot end one direction the end shows when all is closed.
        if (port instanceof DuplexChannel connected) {
          connected.shutdownOutput();
        } else if (port instanceof SocketChannel connected) {
          connected.shutdownOutput();
        }
        endIfBothDid();
      }
    } catch (ClosedChannelException e) {
      LOG.log(System.Logger.Level.DEBUG, "A port takes no more", e);
    } catch (IOException e) {
      broke(e);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        port.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "A connection to a port does not close", e);
      } finally {
        over.run();
      }
    }
  }

  /** Who is there before the client is. */
  private record Nobody() implements FrameSocket {
    @Override
    public void send(StreamChannel channel, byte[] bytes, int length) {
      throw new IllegalStateException("the conversation has not begun");
    }

    @Override
    public void end(StreamOutcome outcome) {
      throw new IllegalStateException("the conversation has not begun");
    }
  }
}
