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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Copies what jobs have written into a store. */
final class OutputCopy {
  private static final System.Logger LOG = System.getLogger(OutputCopy.class.getName());
  private static final int AT_ONCE = 8;

  /** For so long a backend may say nothing before what came so far must do. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration ASK_EVERY = Duration.ofMillis(500);

  private final JobOutputs outputs;
  private final BlobStore store;

  OutputCopy(JobOutputs outputs, BlobStore store) {
    this.outputs = outputs;
    this.store = store;
  }

  /** Copies the output of several attempts that have ended, some at a time. */
  List<KeptOutput> all(List<Attempt> attempts) throws InterruptedException {
    if (attempts.isEmpty()) {
      return List.of();
    }
    Semaphore places = new Semaphore(AT_ONCE);
    List<Callable<KeptOutput>> tasks = new ArrayList<>();
    for (Attempt attempt : attempts) {
      tasks.add(
          () -> {
            places.acquire();
            try {
              return copy(attempt);
            } finally {
              places.release();
            }
          });
    }
    List<KeptOutput> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<KeptOutput> copied : threads.invokeAll(tasks)) {
        all.add(copied.get());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("output could not be copied", e.getCause());
    }
    return all;
  }

  private KeptOutput copy(Attempt attempt) throws InterruptedException {
    List<KeptOutput.Piece> stdout = new ArrayList<>();
    List<KeptOutput.Piece> stderr = new ArrayList<>();
    boolean allOut = copy(attempt, JobRuntime.Stream.STDOUT, stdout);
    boolean allErr = copy(attempt, JobRuntime.Stream.STDERR, stderr);
    boolean complete = allOut && allErr;
    if (!complete) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Not all output of " + attempt.id() + " could be read from its machine");
    }
    return new KeptOutput(attempt.id(), stdout, stderr, complete);
  }

  /** Copies one stream; false where its end did not come. */
  private boolean copy(Attempt attempt, JobRuntime.Stream stream, List<KeptOutput.Piece> pieces)
      throws InterruptedException {
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    long offset = 0;
    long answered = System.nanoTime();
    boolean ended = false;
    while (!ended && System.nanoTime() - answered < PATIENCE.toNanos()) {
      JobRuntime.Output output =
          read(attempt, stream, offset, KeptOutput.PIECE_BYTES - piece.size());
      ended = output.ended();
      offset = output.nextOffset();
      piece.writeBytes(output.bytes());
      if (piece.size() == KeptOutput.PIECE_BYTES) {
        pieces.add(put(attempt, piece));
      }
      if (output.bytes().length > 0) {
        answered = System.nanoTime();
      } else if (!ended) {
        Thread.sleep(ASK_EVERY);
      }
    }
    if (piece.size() > 0) {
      pieces.add(put(attempt, piece));
    }
    return ended;
  }

  /** What cannot be read now is read again by whoever calls. */
  private JobRuntime.Output read(
      Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    try {
      return outputs.read(attempt, stream, offset, limit);
    } catch (BackendException | ApiException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "The output of " + attempt.id() + " cannot be read: " + e.getMessage());
      return new JobRuntime.Output(new byte[0], offset, false);
    }
  }

  private KeptOutput.Piece put(Attempt attempt, ByteArrayOutputStream piece) {
    byte[] bytes = piece.toByteArray();
    piece.reset();
    String digest = Sha256.of(bytes);
    store.put(
        new BlobName(KeptOutput.space(attempt.id()), digest), new ByteArrayInputStream(bytes));
    return new KeptOutput.Piece(digest, bytes.length);
  }
}
