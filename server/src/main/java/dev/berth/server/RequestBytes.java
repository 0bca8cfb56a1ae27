package dev.berth.server;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of requests within bounds: on the size of each, and on how many large ones the
 * server works at, because what is made of a body can take many times its size. Safe for many
 * threads.
 */
final class RequestBytes {
  /** A file has up to 1 MiB, and as JSON up to three times that, with room for names. */
  static final int LARGEST = 4 * 1024 * 1024;

  /** Of who shows no token. */
  static final int LARGEST_OF_STRANGERS = 64 * 1024;

  /** What has more waits for one of a few places. */
  private static final int LARGE = 64 * 1024;

  private static final int LARGE_AT_ONCE = 4;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  /** A body that comes slower than this keeps a thread, and a large one others from its place. */
  private static final Duration WITHIN = Duration.ofSeconds(30);

  /** So much of a refused body is read and thrown away, so that its sender sees the refusal. */
  private static final long MOST_DRAINED = 32L * 1024 * 1024;

  private static final int PIECE = 16 * 1024;

  private final Semaphore places = new Semaphore(LARGE_AT_ONCE);

  /** A body that is worked at until it is closed. Used by one thread. */
  final class Held implements AutoCloseable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean large;

    byte[] bytes() {
      return bytes.toByteArray();
    }

    private void takePlace() {
      if (large) {
        return;
      }
      try {
        large = places.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (!large) {
        throw new ApiException(
            503,
            "the server is busy with other large requests; try again in a second",
            List.of(),
            Map.of("Retry-After", "1"));
      }
    }

    @Override
    public void close() {
      if (large) {
        large = false;
        places.release();
      }
    }
  }

  /**
   * Reads the body of a request.
   *
   * @param most how many bytes it may have
   * @throws ApiException 413 for more, 408 and 400 for a body that does not come
   */
  Held read(Context context, int most) {
    Held held = new Held();
    boolean read = false;
    try {
      fill(held, context.bodyInputStream(), context.req().getContentLengthLong(), most);
      read = true;
      return held;
    } finally {
      if (!read) {
        held.close();
      }
    }
  }

  private static void fill(Held held, InputStream body, long declared, int most) {
    if (declared > most) {
      drain(body, MOST_DRAINED, null);
      throw tooLarge(most);
    }
    if (declared > LARGE) {
      held.takePlace();
    }
    long begun = System.nanoTime();
    byte[] piece = new byte[PIECE];
    try {
      for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
        held.bytes.write(piece, 0, read);
        if (held.bytes.size() > most) {
          drain(body, MOST_DRAINED, null);
          throw tooLarge(most);
        }
        if (held.bytes.size() > LARGE) {
          held.takePlace();
        }
        if (System.nanoTime() - begun > WITHIN.toNanos()) {
          throw new ApiException(
              408, "the body did not arrive within " + WITHIN.toSeconds() + " seconds");
        }
      }
    } catch (IOException e) {
      throw new ApiException(400, "the body ends unexpectedly");
    }
  }

  private static ApiException tooLarge(int most) {
    return new ApiException(
        413,
        "the body has more than the %,d bytes allowed here; send files with an upload"
            .formatted(most));
  }

  /**
   * Reads and throws away what is left of a body: a client that is still sending when the
   * connection is closed would never see why.
   *
   * @param most how many bytes are read at most
   * @param refusal hears what keeps the body from being read
   */
  static void drain(InputStream body, long most, @Nullable ApiException refusal) {
    byte[] piece = new byte[PIECE];
    long left = most;
    long begun = System.nanoTime();
    try {
      for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
        left -= read;
        if (left <= 0 || System.nanoTime() - begun > WITHIN.toNanos()) {
          return;
        }
      }
    } catch (IOException e) {
      if (refusal != null) {
        refusal.addSuppressed(e);
      }
    }
  }
}
