package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/** A WebSocket of Jetty. */
final class JettyFrames implements FrameSocket {
  private static final System.Logger LOG = System.getLogger(JettyFrames.class.getName());

  /** How often it is asked whether the client may still go on. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** After so many looks the client is spoken to: shows us whether it is there. */
  private static final int LOOKS_PER_PING = 5;

  /** How long a client that must go has to take its last message. */
  private static final Duration LAST_WORD = Duration.ofSeconds(1);

  private final Session session;

  /** Messages go out one after the other. */
  private final ReentrantLock sending = new ReentrantLock();

  private final CountDownLatch closed = new CountDownLatch(1);

  JettyFrames(Session session) {
    this.session = session;
  }

  /**
   * Watches over the connection until it is closed, and ends it when its client may not go on.
   *
   * @param allowed whether it may
   * @param gone called when the connection is found to be gone
   */
  void watch(BooleanSupplier allowed, Runnable gone) {
    Thread.ofVirtual().name("stream-watch").start(() -> look(allowed, gone));
  }

  private void look(BooleanSupplier allowed, Runnable gone) {
    try {
      for (int look = 1; !closed.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS); look++) {
        if (!session.isOpen()) {
          gone.run();
          return;
        }
        if (!allowed.getAsBoolean()) {
          end(StreamOutcome.failed("your permission for this was revoked"));
          gone.run();
          return;
        }
        if (look % LOOKS_PER_PING == 0) {
          session.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A stream to a job is not watched any more", e);
      session.disconnect();
      gone.run();
    }
  }

  /** The client has gone, or we have. */
  void closed() {
    closed.countDown();
  }

  @Override
  public void send(StreamChannel channel, byte[] bytes, int length)
      throws IOException, InterruptedException {
    sending.lockInterruptibly();
    try {
      Callback.Completable sent = new Callback.Completable();
      session.sendBinary(message(channel, bytes, length), sent);
      sent.get();
    } catch (ExecutionException e) {
      throw new IOException("the client is gone", e.getCause());
    } finally {
      sending.unlock();
    }
  }

  private static ByteBuffer message(StreamChannel channel, byte[] bytes, int length) {
    ByteBuffer message = ByteBuffer.allocate(length + 1);
    return message.put(channel.code()).put(bytes, 0, length).flip();
  }

  @Override
  public void end(StreamOutcome outcome) {
    byte[] last = ApiJson.MAPPER.writeValueAsBytes(outcome);
    try {
      // Whoever is sending may wait for a client that reads nothing any more.
      boolean ours = sending.tryLock(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS);
      try {
        if (ours) {
          session.sendBinary(message(StreamChannel.OUTCOME, last, last.length), Callback.NOOP);
          session.close(StatusCode.NORMAL, null, Callback.NOOP);
        }
      } finally {
        if (ours) {
          sending.unlock();
        }
      }
      if (!ours || !closed.await(patience(outcome).toMillis(), TimeUnit.MILLISECONDS)) {
        session.disconnect();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      session.disconnect();
    }
  }

  /** A client that is slow shall have all of an output; one that must go has no such claim. */
  private static Duration patience(StreamOutcome outcome) {
    return outcome.error() == null ? Duration.ofMinutes(10) : LAST_WORD;
  }
}
