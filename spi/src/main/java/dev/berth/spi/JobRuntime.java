package dev.berth.spi;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs jobs. All state is with the backend: a runtime may be dropped at any time, and another one
 * sees the same jobs.
 */
public interface JobRuntime {
  /**
   * Starts a job, at most once, however often and after whatever crash this is called. Returns when
   * the job is on its way; its end shows in {@link #observe}. Takes milliseconds plus the copying
   * of files.
   *
   * @return when it was handed over
   * @throws BackendException where it cannot be started; {@link BackendException#isTransient} tells
   *     whether to try again
   */
  Instant start(JobRequest request);

  /**
   * Asks a job to end, and kills what is left of it after the grace. Idempotent; silent when gone;
   * returns at once. A job that has not started never will.
   */
  void stop(String attemptId, Duration grace);

  /**
   * Kills a job with all its processes. Idempotent; silent when gone; when it returns nothing of
   * the job runs.
   */
  void kill(String attemptId);

  /** Removes a job and its output. Idempotent; silent when gone. */
  void remove(String attemptId);

  /** How jobs are now, in the order asked for. Changes nothing. */
  List<JobObservation> observe(List<String> attemptIds);

  /**
   * Calls back soon after a job started or ended, until closed. May call twice for one change, and
   * misses what happened before.
   */
  AutoCloseable watch(Consumer<String> changed);

  /**
   * Reads output from a byte offset; nothing is lost or reordered.
   *
   * @throws BackendException GONE when the job is not known
   */
  Output read(String attemptId, Stream stream, long offset, int maxBytes);

  /** One of a job's two streams of output. */
  enum Stream {
    STDOUT,
    STDERR
  }

  /**
   * A piece of output.
   *
   * @param ended whether the job has ended and no byte will follow
   */
  @SuppressWarnings("ArrayRecordComponent") // output is bytes; it is handed on, never compared
  record Output(byte[] bytes, long nextOffset, boolean ended) {}
}
