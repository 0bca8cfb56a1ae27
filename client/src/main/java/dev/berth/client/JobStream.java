package dev.berth.client;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A command inside of a job, or a port of one. Both directions wait for whoever is slow: the server
 * sends on when the receiver has returned, and {@link #send} returns when the bytes are on their
 * way. Safe for any thread; the receiver is called by one.
 */
public final class JobStream implements AutoCloseable {
  /** Who gets what comes from the job. */
  public interface Receiver {
    void output(byte[] bytes) throws IOException;

    default void errors(byte[] bytes) throws IOException {}

    /** The job's side sends no more output. */
    default void outputEnded() throws IOException {}
  }

  private static final int MOST_PIECES = 4;

  private final Receiver receiver;
  private final CompletableFuture<StreamOutcome> outcome = new CompletableFuture<>();
  private final ReentrantLock sending = new ReentrantLock();

  /** Set before anything is received. */
  private volatile @Nullable WebSocket socket;

  /** Set by the JDK's thread when the server has said its last word. */
  private volatile boolean endedByServer;

  JobStream(Receiver receiver) {
    this.receiver = receiver;
  }

  /** Takes over a connection that is there. */
  void opened(WebSocket opened) {
    socket = opened;
  }

  private WebSocket socket() {
    WebSocket opened = socket;
    if (opened == null) {
      throw new IllegalStateException("the stream is not open yet");
    }
    return opened;
  }

  /**
   * Sends input. Input for a command that has already ended is dropped, as with a pipe that nobody
   * reads; {@link #await} returns how the command ended.
   *
   * @throws ClientException if the connection broke
   */
  public void send(byte[] bytes, int offset, int length) {
    int from = offset;
    while (from < offset + length) {
      int count = Math.min(StreamChannel.LARGEST_MESSAGE, offset + length - from);
      ByteBuffer message = ByteBuffer.allocate(count + 1);
      message.put(StreamChannel.INPUT.code()).put(bytes, from, count).flip();
      send(message);
      from += count;
    }
  }

  /** There is no more input. */
  public void endInput() {
    send(ByteBuffer.wrap(new byte[] {StreamChannel.END.code(), StreamChannel.INPUT.code()}));
  }

  private void send(ByteBuffer message) {
    sending.lock();
    try {
      socket().sendBinary(message, true).join();
    } catch (CompletionException e) {
      if (!endedByServer) {
        throw new ClientException(0, "the connection to the server broke", List.of(), e.getCause());
      }
    } finally {
      sending.unlock();
    }
  }

  /**
   * Waits for the end.
   *
   * @return the exit code of a command; 0 of a port
   * @throws ClientException when the connection broke, or the server has ended it
   */
  public int await() throws InterruptedException {
    try {
      StreamOutcome end = outcome.get();
      if (end.error() != null) {
        throw new ClientException(409, end.error(), List.of(), null);
      }
      Integer code = end.exitCode();
      return code == null ? 0 : code;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ClientException known
          ? known
          : new ClientException(0, "the connection to the server broke", List.of(), e.getCause());
    }
  }

  /** Ends it, and a command that still runs. */
  @Override
  public void close() {
    WebSocket opened = socket;
    if (opened != null) {
      opened.abort();
    }
  }

  WebSocket.Listener listener() {
    return new Pieces();
  }

  /**
   * What comes from the server, in pieces as they come. The threads of the JDK must not wait, so
   * the receiver is called by another; each piece is asked for when one before it was taken.
   */
  private final class Pieces implements WebSocket.Listener {
    private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(MOST_PIECES + 2);

    /** The channel of the message whose parts come; used by one thread at a time. */
    private @Nullable StreamChannel channel;

    @Override
    public void onOpen(WebSocket opened) {
      JobStream.this.opened(opened);
      Thread.ofVirtual().name("job-stream").start(() -> deliver(opened));
      opened.request(MOST_PIECES);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
      StreamChannel current = channel;
      if (current == null && data.hasRemaining()) {
        current = StreamChannel.find(data.get()).orElse(null);
      }
      channel = last ? null : current;
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      pieces.add(new Piece(current, bytes, null));
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
      // The JDK refuses to send only after this method has returned.
      endedByServer = true;
      String sentence = "the server ended the connection" + (reason.isEmpty() ? "" : ": " + reason);
      pieces.add(new Piece(null, new byte[0], new ClientException(0, sentence, List.of(), null)));
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      pieces.add(
          new Piece(
              null,
              new byte[0],
              new ClientException(0, "the connection to the server broke", List.of(), error)));
    }

    private void deliver(WebSocket from) {
      try {
        ByteArrayOutputStream last = new ByteArrayOutputStream();
        while (!outcome.isDone()) {
          Piece piece = pieces.take();
          if (piece.end() != null) {
            finish(last.toString(StandardCharsets.UTF_8), piece.end());
            return;
          }
          take(piece, last);
          from.request(1);
        }
      } catch (IOException | RuntimeException e) {
        // Nobody is left who wants the output, so the command is of no use.
        outcome.completeExceptionally(e);
        from.abort();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        outcome.completeExceptionally(e);
      }
    }

    private void take(Piece piece, ByteArrayOutputStream last) throws IOException {
      switch (piece.channel()) {
        case OUTPUT -> receiver.output(piece.bytes());
        case ERRORS -> receiver.errors(piece.bytes());
        case END -> receiver.outputEnded();
        case OUTCOME -> last.writeBytes(piece.bytes());
        case INPUT -> {}
        case null -> {}
      }
    }

    private void finish(String last, ClientException otherwise) {
      if (last.isEmpty()) {
        outcome.completeExceptionally(otherwise);
      } else {
        outcome.complete(BerthClient.read(last, StreamOutcome.class));
      }
    }
  }

  /**
   * A part of a message, or the end.
   *
   * @param channel null of one that we do not know
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  private record Piece(
      @Nullable StreamChannel channel, byte[] bytes, @Nullable ClientException end) {}
}
