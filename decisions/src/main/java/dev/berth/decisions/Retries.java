package dev.berth.decisions;

import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether what failed is tried again, and when. */
final class Retries {
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10));

  private Retries() {}

  /** What an end means to a retry policy; empty for ends that are never retried. */
  static Optional<RetryEvent> eventOf(JobReason reason) {
    // What is missing would be missing again.
    if (reason.end() != JobStatus.FAILED || reason == JobReason.MISSING_SECRET) {
      return Optional.empty();
    }
    return Optional.of(
        switch (reason) {
          case FAILED_TO_START_DUE_TO_NO_CAPACITY -> RetryEvent.NO_CAPACITY;
          case INTERRUPTED_BY_NO_CAPACITY -> RetryEvent.INTERRUPTION;
          default -> RetryEvent.ERROR;
        });
  }

  /** How long to wait after so many tries in a row that found no place. */
  static Duration pause(int trials) {
    return PAUSES.get(Math.min(trials, PAUSES.size() - 1));
  }

  /** What a policy says about an end. */
  enum Verdict {
    AGAIN,
    /** It would be retried, but was for as long as allowed. */
    EXHAUSTED,
    NO
  }

  static Verdict verdict(RetryPolicy policy, JobReason reason, Placement placement, Instant now) {
    Optional<RetryEvent> event = eventOf(reason);
    if (event.isEmpty() || !policy.onEvents().contains(event.get())) {
      return Verdict.NO;
    }
    return now.isAfter(placement.windowSince().plus(policy.duration()))
        ? Verdict.EXHAUSTED
        : Verdict.AGAIN;
  }
}
