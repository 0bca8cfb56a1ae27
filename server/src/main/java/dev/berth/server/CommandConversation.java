package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A command inside of a job, at the other end of a connection. Its pipes are read and written by
 * threads of the platform: a virtual one that waits for a pipe holds the processor's thread that
 * carries it, and a hundred quiet commands would leave none for the rest of the server.
 */
final class CommandConversation implements Conversation {
  private static final System.Logger LOG = System.getLogger(CommandConversation.class.getName());
  private static final int PIECE = 32 * 1024;

  /** How much input is held for a command that does not read; then the client waits. */
  private static final int MOST_PIECES = 4;

  private static final long LOOK_EVERY_MS = 500;

  /** Stands for the end of the input. */
  private static final byte[] NO_MORE = new byte[0];

  private final Execution execution;
  private final Runnable over;
  private final BlockingQueue<byte[]> input = new ArrayBlockingQueue<>(MOST_PIECES);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The command reads no more; written by the thread that feeds it. */
  private volatile boolean full;

  /**
   * The conversation with a command that was started.
   *
   * @param over called once, when nothing of it is left
   */
  CommandConversation(Execution execution, Runnable over) {
    this.execution = execution;
    this.over = over;
  }

  @Override
  public void begin(FrameSocket socket) {
    Thread output = thread("out", () -> pump(execution.output(), StreamChannel.OUTPUT, socket));
    Thread errors = thread("errors", () -> pump(execution.errors(), StreamChannel.ERRORS, socket));
    Thread feeder = thread("input", this::feed);
    feeder.start();
    output.start();
    errors.start();
    Thread.ofVirtual().name("exec-end").start(() -> end(socket, output, errors));
  }

  private static Thread thread(String part, Runnable work) {
    return Thread.ofPlatform().daemon().name("exec-" + part).unstarted(work);
  }

  private void pump(InputStream from, StreamChannel channel, FrameSocket socket) {
    byte[] piece = new byte[PIECE];
    try {
      for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
        socket.send(channel, piece, count);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "The output of a command is not passed on any more", e);
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  private void end(FrameSocket socket, Thread output, Thread errors) {
    try {
      output.join();
      errors.join();
      socket.end(StreamOutcome.exited(execution.exitCode()));
    } catch (BackendException e) {
      socket.end(StreamOutcome.failed("the exit code is not known: " + e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** Writes the input to the command, until it has ended or nobody reads it. */
  private void feed() {
    try (var stream = execution.input()) {
      while (!closed.get()) {
        byte[] piece = input.poll(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
        if (isEnd(piece)) {
          return;
        }
        if (piece != null) {
          stream.write(piece);
          stream.flush();
        }
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "A command takes no more input", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      full = true;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the identity of the mark is what is asked for
  private static boolean isEnd(byte @Nullable [] piece) {
    return piece == NO_MORE;
  }

  @Override
  public void received(StreamChannel channel, ByteBuffer bytes) throws InterruptedException {
    byte[] piece = NO_MORE;
    if (channel == StreamChannel.INPUT) {
      piece = new byte[bytes.remaining()];
      bytes.get(piece);
    } else if (channel != StreamChannel.END) {
      return;
    }
    while (!closed.get() && !full && !input.offer(piece, LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        execution.close();
      } finally {
        over.run();
      }
    }
  }
}
