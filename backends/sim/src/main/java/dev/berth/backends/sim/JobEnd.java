package dev.berth.backends.sim;

import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When and how a job ends, as far as it is known: the earliest of all that can end it. Pure.
 *
 * @param code null where it never ran
 */
record JobEnd(Instant at, @Nullable Integer code, Cause cause, String detail) {
  private static final int TERMINATED = 143;
  private static final int KILLED = 137;
  private static final Duration USUAL_STOP_DURATION = Duration.ofMinutes(5);

  /** The end; empty for a job that waits for a place. */
  static Optional<JobEnd> of(SimJob job) {
    Instant start = job.course().startAt();
    Optional<JobEnd> fromOutside = outside(job, start).min(Comparator.comparing(JobEnd::at));
    if (start == null) {
      return fromOutside;
    }
    if (fromOutside.isPresent() && fromOutside.get().at().isBefore(start)) {
      JobEnd early = fromOutside.get();
      return Optional.of(new JobEnd(early.at(), null, early.cause(), early.detail()));
    }
    // By itself comes first, so that a job that ended in the same moment has ended by itself.
    return Stream.concat(byItself(job, start), fromOutside.stream())
        .min(Comparator.comparing(JobEnd::at));
  }

  static boolean over(SimJob job, Instant now) {
    return of(job).map(end -> !now.isBefore(end.at())).orElse(false);
  }

  private static Stream<JobEnd> byItself(SimJob job, Instant start) {
    SimJob.Wish wish = job.wish();
    if (wish.failure() != null) {
      return Stream.of(new JobEnd(start, null, Cause.START_FAILED, wish.failure()));
    }
    JobEnd natural = new JobEnd(start.plus(wish.length()), wish.code(), Cause.EXITED, "");
    Duration most = wish.maxDuration();
    if (most == null) {
      return Stream.of(natural);
    }
    boolean ignores = wish.deaf(most);
    Duration grace = wish.stopDuration() == null ? USUAL_STOP_DURATION : wish.stopDuration();
    Instant limit = start.plus(ignores ? most.plus(grace) : most);
    return Stream.of(
        natural, new JobEnd(limit, ignores ? KILLED : TERMINATED, Cause.MAX_DURATION_EXCEEDED, ""));
  }

  /** What others do to it; the codes are those of a job that runs. */
  private static Stream<JobEnd> outside(SimJob job, @Nullable Instant start) {
    Stream.Builder<JobEnd> ends = Stream.builder();
    SimJob.Ending ending = job.ending();
    if (ending.killedAt() != null) {
      ends.add(end(ending.killedAt(), KILLED, Cause.KILLED, "", start));
    }
    Interruption interruption = job.course().interruption();
    if (interruption != null) {
      ends.add(
          end(
              interruption.at(),
              KILLED,
              Cause.INTERRUPTED,
              "the simulated cloud took the spot machine back",
              start));
    }
    Instant stopAt = ending.stopAt();
    Instant killAt = ending.stopKillAt();
    if (stopAt != null && killAt != null) {
      boolean ignores =
          start != null
              && !stopAt.isBefore(start)
              && job.wish().deaf(Duration.between(start, stopAt));
      ends.add(
          ignores
              ? end(killAt, KILLED, Cause.KILLED, "", start)
              : end(stopAt, TERMINATED, Cause.STOPPED, "", start));
    }
    return ends.build();
  }

  private static JobEnd end(
      Instant at, int code, Cause cause, String detail, @Nullable Instant start) {
    return new JobEnd(at, start == null ? null : code, cause, detail);
  }

  /** The job at a moment, with the times of the cloud's clock. */
  static JobObservation observation(SimJob job, Instant now, Duration skew) {
    Instant start = job.course().startAt();
    Optional<JobEnd> end = of(job).filter(found -> !now.isBefore(found.at()));
    if (end.isPresent()) {
      JobEnd over = end.get();
      Instant ran = over.code() == null || start == null ? null : start.plus(skew);
      return new JobObservation.Exited(
          over.code(), over.cause(), over.detail(), ran, over.at().plus(skew));
    }
    return start == null || now.isBefore(start)
        ? new JobObservation.Prepared()
        : new JobObservation.Running(
            start.plus(skew),
            List.of(),
            Shown.interruptedAt(job.course().interruption(), now, skew));
  }
}
