package dev.berth.hosts.docker;

import dev.berth.spi.DuplexChannel;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends requests and reads answers. Every call has a deadline: when it is over the channel is
 * closed, and whoever reads from it fails.
 */
public final class EngineHttp {
  private static final int PIECE = 64 * 1024;

  /** No answer that is kept whole is larger: a list of all containers has some megabytes. */
  private static final int LARGEST = 64 << 20;

  private static final int LARGEST_REFUSAL = 64 * 1024;
  private static final int NOT_MODIFIED = 304;

  private static final ScheduledExecutorService DEADLINES =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-deadlines").factory());

  private final EngineAddress address;

  public EngineHttp(EngineAddress address) {
    this.address = address;
  }

  /**
   * Sends a request and reads its whole answer, which is short.
   *
   * @throws EngineException where the engine says no, or nothing in time
   */
  public String call(String version, EngineRequest request, Duration deadline) {
    return new String(bytes(version, request, deadline), StandardCharsets.UTF_8);
  }

  /** The same, for an answer that is no text. */
  public byte[] bytes(String version, EngineRequest request, Duration deadline) {
    return bytes(version, request, deadline, LARGEST);
  }

  /**
   * The same, for an answer that somebody else may have made large.
   *
   * @throws EngineException TOO_LARGE where it has more bytes
   */
  public byte[] bytes(String version, EngineRequest request, Duration deadline, int largest) {
    try (DuplexChannel channel = open()) {
      Future<?> timer = closeAfter(channel, deadline);
      try {
        EngineResponse response = exchange(version, request, channel);
        byte[] all = response.body().readNBytes(largest);
        if (all.length == largest && response.body().read() >= 0) {
          throw new EngineException(
              EngineException.TOO_LARGE,
              "the engine's answer to %s %s has more than %d bytes"
                  .formatted(request.method(), request.bare(), largest),
              null);
        }
        return all;
      } catch (IOException failure) {
        throw silence(request, deadline, channel, failure);
      } finally {
        timer.cancel(false);
      }
    } catch (IOException failure) {
      throw new EngineException(
          EngineException.NO_ANSWER, "a connection to the engine cannot be closed", failure);
    }
  }

  /**
   * Sends a request and reads the head of its answer; the caller reads the rest for as long as it
   * likes, and closes it.
   *
   * @param deadline for the head
   */
  public EngineResponse stream(String version, EngineRequest request, Duration deadline) {
    return stream(version, request, deadline, _ -> {});
  }

  /**
   * The same, for whoever may want to hang up before the engine answers.
   *
   * @param opened is told the connection before anything is sent
   */
  public EngineResponse stream(
      String version, EngineRequest request, Duration deadline, Consumer<DuplexChannel> opened) {
    DuplexChannel channel = open();
    opened.accept(channel);
    Future<?> timer = closeAfter(channel, deadline);
    try {
      return exchange(version, request, channel);
    } catch (IOException failure) {
      EngineException told = silence(request, deadline, channel, failure);
      close(channel, told);
      throw told;
    } catch (EngineException refused) {
      close(channel, refused);
      throw refused;
    } finally {
      timer.cancel(false);
    }
  }

  private DuplexChannel open() {
    try {
      return address.open();
    } catch (IOException failure) {
      throw new EngineException(
          EngineException.NOBODY,
          "the engine at %s cannot be reached: %s".formatted(address, failure.getMessage()),
          failure);
    }
  }

  private static EngineResponse exchange(
      String version, EngineRequest request, DuplexChannel channel) throws IOException {
    write(channel, request.head(version));
    InputStream stream = request.stream();
    if (stream == null) {
      write(channel, request.body());
    } else {
      writeChunks(channel, stream);
    }
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), PIECE);
    HttpHead head = HttpHead.read(in);
    while (head.status() == 100) {
      head = HttpHead.read(in);
    }
    InputStream body = head.status() == 101 ? in : head.body(in, request.method());
    if (head.status() >= 300 && head.status() != NOT_MODIFIED) {
      String text = new String(body.readNBytes(LARGEST_REFUSAL), StandardCharsets.UTF_8);
      throw new EngineException(head.status(), words(head, text), null);
    }
    return new EngineResponse(head.status(), head.headers(), body, channel);
  }

  /** An engine leads elsewhere where a name in the path is none. */
  private static String words(HttpHead head, String text) {
    return head.status() < 400
        ? "the engine says %d and leads to '%s', as where a name is not written as it should be"
            .formatted(head.status(), head.headers().getOrDefault("location", ""))
        : EngineJson.message(text);
  }

  private static void writeChunks(DuplexChannel channel, InputStream stream) throws IOException {
    byte[] piece = new byte[PIECE];
    for (int count = stream.read(piece); count >= 0; count = stream.read(piece)) {
      if (count > 0) {
        write(
            channel,
            (Integer.toHexString(count).toUpperCase(Locale.ROOT) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        write(channel, ByteBuffer.wrap(piece, 0, count));
        write(channel, new byte[] {'\r', '\n'});
      }
    }
    write(channel, "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private static void write(DuplexChannel channel, byte[] bytes) throws IOException {
    write(channel, ByteBuffer.wrap(bytes));
  }

  private static void write(DuplexChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static Future<?> closeAfter(DuplexChannel channel, Duration deadline) {
    return DEADLINES.schedule(
        // Closing may wait for whoever is in the middle of a read, which must not hold up others.
        () -> {
          Thread.ofVirtual().start(() -> closeQuietly(channel));
        },
        deadline.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private static void closeQuietly(DuplexChannel channel) {
    try {
      channel.close();
    } catch (IOException failure) {
      System.getLogger(EngineHttp.class.getName())
          .log(System.Logger.Level.WARNING, "A silent engine's channel does not close", failure);
    }
  }

  private static void close(DuplexChannel channel, EngineException told) {
    try {
      channel.close();
    } catch (IOException failure) {
      told.addSuppressed(failure);
    }
  }

  private static EngineException silence(
      EngineRequest request, Duration deadline, DuplexChannel channel, IOException failure) {
    return new EngineException(
        EngineException.NO_ANSWER,
        "the engine did not answer %s %s: %s"
            .formatted(request.method(), request.bare(), why(deadline, channel, failure)),
        failure);
  }

  private static String why(Duration deadline, DuplexChannel channel, IOException failure) {
    if (failure instanceof ClosedByInterruptException) {
      return "the call was given up before that";
    }
    // Nobody but the deadline closes a channel under a call else.
    return channel.isOpen()
        ? String.valueOf(failure.getMessage())
        : "no answer within " + deadline.toSeconds() + " s";
  }
}
