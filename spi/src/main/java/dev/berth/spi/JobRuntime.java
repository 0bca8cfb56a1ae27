package dev.berth.spi;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs jobs. All state is with the backend: a runtime may be dropped at any time, and another one
 * sees the same jobs. All methods may be called from any thread. None waits for a job, except
 * {@link #kill} and {@link #remove}; a call takes at most a minute and then fails with {@link
 * BackendException.Transient}.
 *
 * <p>All methods throw {@link BackendException.Unauthorised}, {@link BackendException.RateLimited}
 * and {@link BackendException.Transient}; others where they are named.
 */
public interface JobRuntime {
  /**
   * Starts a job, at most once, however often and after whatever crash this is called. Returns when
   * the job is on its way; its end shows in {@link #observe}. Takes milliseconds plus the copying
   * of files on a machine, and as long as the provider's answer elsewhere.
   *
   * <p>With an {@link Identity.Lookup} a second call may make a second job, as with {@link
   * Provisioner#create}; the extra ones show in {@link #list}.
   *
   * @return when it was handed over
   * @throws BackendException.NoCapacity where the offer is sold out
   * @throws BackendException.QuotaExceeded where the account may not have more
   * @throws BackendException.Unsupported where the request asks for what {@link Compute#traits} has
   *     not; see {@link #requireOnly}
   * @throws BackendException.Permanent where it can never start
   */
  Instant start(JobRequest request);

  /** Refuses what a backend has not. Every {@link #start} begins with it. */
  static void requireOnly(JobRequest request, Traits traits) {
    Place place = request.place();
    if (place != null) {
      if (place.spot()) {
        traits.require(Trait.SPOT);
      }
      if (place.reservation() != null) {
        traits.require(Trait.RESERVATIONS);
      }
      if (place.instance() != null) {
        traits.require(Trait.REUSE);
      }
    }
    if (!request.spec().files().isEmpty()) {
      traits.require(Trait.FILES);
    }
    if (!request.volumes().isEmpty()) {
      requireVolumes(traits);
    }
    Container container = request.container();
    if (container == null) {
      return;
    }
    traits.require(Trait.IMAGES);
    if (container.privileged()) {
      traits.require(Trait.PRIVILEGED);
    }
    if (!container.mounts().isEmpty()) {
      traits.require(Trait.INSTANCE_VOLUMES);
    }
    String entrypoint = container.entrypoint();
    if (entrypoint != null
        && entrypoint.getBytes(StandardCharsets.UTF_8).length > Container.LONGEST_ENTRYPOINT) {
      throw new BackendException.Permanent(
          "the entrypoint is longer than the " + Container.LONGEST_ENTRYPOINT + " bytes allowed",
          null);
    }
  }

  private static void requireVolumes(Traits traits) {
    traits.require(Trait.VOLUMES);
    if (traits.base() != Traits.Base.CONTAINERS) {
      throw new BackendException.Permanent(
          "volumes are attached to machines here, not to jobs: create the machine with them", null);
    }
  }

  /**
   * Asks a job to end, and kills what is left of it after the grace. Idempotent; silent when gone;
   * returns at once. A job that has not started never will. A second call may shorten the grace and
   * never lengthens it.
   */
  void stop(String attemptId, Duration grace);

  /**
   * Kills a job with all its processes. Idempotent; silent when gone; when it returns nothing of
   * the job runs.
   */
  void kill(String attemptId);

  /**
   * Removes a job and its output, and kills it first where it runs. Idempotent; silent when gone.
   */
  void remove(String attemptId);

  /**
   * Gives back the place of a job that was rented for it alone ({@link JobRequest#offer}) and ends
   * the bill: soon after it returned, nothing that was rented for the job costs money. Called once
   * the job has ended, or is to be ended, and its output is copied; what still runs of it is
   * killed. Afterwards the job and its output may be unknown. Idempotent; silent when gone; may
   * throw {@link BackendException.Transient} and is then called again until it succeeds. By default
   * the same as {@link #remove}.
   */
  default void release(String attemptId) {
    remove(attemptId);
  }

  /**
   * How jobs are now, in the order asked for; one that is not known is absent. One that was started
   * less than {@link Identity#visibleWithin} ago may be absent, too. One that ended stays with its
   * own exit code until it is released or removed, also where {@link #stop} ended it. Changes
   * nothing.
   */
  List<JobObservation> observe(List<String> attemptIds);

  /**
   * One job in detail. Changes nothing.
   *
   * @throws BackendException.Gone when the job is not known
   */
  JobDescription describe(String attemptId);

  /**
   * The keys of all jobs of ours that are there and not removed, one entry for each job: a key
   * stands twice where two jobs carry it. Changes nothing. Never a part.
   */
  List<String> list(Owner owner);

  /**
   * Calls back soon after a job started or ended, until closed. May call twice for one change, and
   * misses what happened before. A backend that cannot know returns a watch that never calls.
   */
  AutoCloseable watch(Consumer<String> changed);

  /**
   * Reads output from a byte offset; nothing is lost, added or reordered, also of what the job
   * writes after {@link #stop}. Reading again gives the same bytes, also after the job's end and
   * until it is released or removed. Changes nothing.
   *
   * @param maxBytes at most so many bytes are returned
   * @throws BackendException.Gone when the job is not known
   */
  Output read(String attemptId, Stream stream, long offset, int maxBytes);

  /**
   * Runs a command inside of a running job.
   *
   * @throws BackendException.Gone when the job does not run
   * @throws BackendException.Unsupported without {@link Trait#EXEC}
   */
  default Execution exec(String attemptId, List<String> command) {
    throw new BackendException.Unsupported(Trait.EXEC);
  }

  /**
   * Opens a connection to a port of a running job. The caller closes it. A {@link DuplexChannel},
   * or a {@code SocketChannel}, can also end one direction; other channels end both or none.
   *
   * @throws BackendException.Gone when the job does not run
   * @throws BackendException.Transient when nothing listens there
   * @throws BackendException.Unsupported without {@link Trait#CONNECT}
   */
  default ByteChannel connect(String attemptId, int port) {
    throw new BackendException.Unsupported(Trait.CONNECT);
  }

  /**
   * What each of some jobs uses now, or used some seconds ago. A job that does not run, is not
   * known, or cannot be measured now has no entry, and does not keep others from theirs. Changes
   * nothing, and is asked every ten seconds: it should cost little.
   *
   * @throws BackendException.Unsupported without {@link Trait#USAGE}
   */
  default Map<String, JobUsage> usage(List<String> attemptIds) {
    throw new BackendException.Unsupported(Trait.USAGE);
  }

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
