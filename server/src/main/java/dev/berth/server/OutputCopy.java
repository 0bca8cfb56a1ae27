package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.model.Sha256;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Copies what jobs have written into a store. Safe for many threads. */
final class OutputCopy {
  private static final System.Logger LOG = System.getLogger(OutputCopy.class.getName());

  /** So many read or write at one time, which bounds the memory that they take. */
  private static final int AT_ONCE = 8;

  /** For so long a backend may say nothing before what came so far must do. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration ASK_EVERY = Duration.ofMillis(500);

  private final JobOutputs outputs;
  private final BlobStore store;
  private final Semaphore places = new Semaphore(AT_ONCE);

  OutputCopy(JobOutputs outputs, BlobStore store) {
    this.outputs = outputs;
    this.store = store;
  }

  /** Copies the output of an attempt that has ended. */
  KeptOutput of(Attempt attempt) throws InterruptedException {
    List<KeptOutput.Piece> stdout = new ArrayList<>();
    List<KeptOutput.Piece> stderr = new ArrayList<>();
    boolean allOut = copy(attempt, JobRuntime.Stream.STDOUT, stdout, PATIENCE);
    // A machine that did not answer is asked once more, and not waited for again.
    boolean allErr =
        copy(attempt, JobRuntime.Stream.STDERR, stderr, allOut ? PATIENCE : Duration.ZERO);
    boolean complete = allOut && allErr;
    if (!complete) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Not all output of " + attempt.id() + " could be read from its machine");
    }
    return new KeptOutput(attempt.id(), stdout, stderr, complete);
  }

  /** Copies one stream; false where its end did not come. */
  private boolean copy(
      Attempt attempt, JobRuntime.Stream stream, List<KeptOutput.Piece> pieces, Duration patience)
      throws InterruptedException {
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    long offset = 0;
    long answered = System.nanoTime();
    while (true) {
      JobRuntime.Output output = step(attempt, stream, offset, piece, pieces);
      if (output.ended()) {
        return true;
      }
      offset = output.nextOffset();
      if (output.bytes().length > 0) {
        answered = System.nanoTime();
      } else if (System.nanoTime() - answered >= patience.toNanos()) {
        // What came so far is kept.
        put(attempt, piece, pieces);
        return false;
      } else {
        Thread.sleep(ASK_EVERY);
      }
    }
  }

  /** Reads what comes next, and writes the piece that it completes. */
  private JobRuntime.Output step(
      Attempt attempt,
      JobRuntime.Stream stream,
      long offset,
      ByteArrayOutputStream piece,
      List<KeptOutput.Piece> pieces)
      throws InterruptedException {
    places.acquire();
    try {
      JobRuntime.Output output =
          read(attempt, stream, offset, KeptOutput.PIECE_BYTES - piece.size());
      piece.writeBytes(output.bytes());
      if (output.ended() || piece.size() == KeptOutput.PIECE_BYTES) {
        put(attempt, piece, pieces);
      }
      return output;
    } finally {
      places.release();
    }
  }

  /** What cannot be read now is read again by whoever calls. */
  private JobRuntime.Output read(
      Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    try {
      return outputs.read(attempt, stream, offset, limit);
    } catch (RuntimeException e) {
      // Also what no backend should throw: the other streams and machines must not suffer from it.
      LOG.log(
          e instanceof BackendException || e instanceof ApiException
              ? System.Logger.Level.DEBUG
              : System.Logger.Level.WARNING,
          "The output of " + attempt.id() + " cannot be read: " + e.getMessage());
      return new JobRuntime.Output(new byte[0], offset, false);
    }
  }

  private void put(Attempt attempt, ByteArrayOutputStream piece, List<KeptOutput.Piece> pieces) {
    if (piece.size() == 0) {
      return;
    }
    byte[] bytes = piece.toByteArray();
    piece.reset();
    String digest = Sha256.of(bytes);
    store.put(
        new BlobName(KeptOutput.space(attempt.id()), digest), new ByteArrayInputStream(bytes));
    pieces.add(new KeptOutput.Piece(digest, bytes.length));
  }
}
