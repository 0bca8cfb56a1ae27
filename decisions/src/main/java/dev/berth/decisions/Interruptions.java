package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** What is done when a provider says that it will take a machine or a rented job back. */
final class Interruptions {
  private Interruptions() {}

  /** A machine will be taken back: it gets no more jobs, and those that it has are stopped. */
  static void noticed(Draft draft, Instance instance, Instant at, Instant now) {
    if (instance.bought().filter(purchase -> purchase.reason() == null).isEmpty()) {
      return;
    }
    String message = sentence(at);
    Instance noticed = instance.noticed(InstanceReason.INTERRUPTED, message);
    draft.put(noticed);
    draft.event(
        "instance.interruption",
        noticed,
        Event.SERVER,
        Map.of("name", noticed.name(), "message", message, "at", at.toString()));
    List<Attempt> started =
        noticed.allocations().keySet().stream()
            .flatMap(id -> draft.find(Attempt.class, id).stream())
            .filter(attempt -> isStarted(draft, attempt))
            .toList();
    if (started.isEmpty()) {
      InstanceLife.leave(draft, noticed, InstanceReason.INTERRUPTED, message, now);
      return;
    }
    started.forEach(attempt -> noticed(draft, attempt, at, now));
  }

  private static boolean isStarted(Draft draft, Attempt attempt) {
    return attempt.active()
        && draft.find(Resource.class, attempt.id()).filter(Resource::active).isPresent();
  }

  /** A job will end when its place is taken back: it is told to stop, in the time that is left. */
  static void noticed(Draft draft, Attempt attempt, Instant at, Instant now) {
    if (attempt.status() == JobStatus.TERMINATING || !attempt.active()) {
      return;
    }
    String message = sentence(at);
    Attempt noticed = attempt.because(message);
    draft.put(noticed);
    draft.event(
        "attempt.interruption",
        noticed,
        Event.SERVER,
        Map.of("message", message, "at", at.toString()));
    Duration left = at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
    AttemptLife.stop(draft, noticed, JobReason.INTERRUPTED_BY_NO_CAPACITY, left, now);
    RunLife.follow(draft, attempt.runId(), now);
  }

  private static String sentence(Instant at) {
    return "the provider takes the machine back at " + at.truncatedTo(ChronoUnit.SECONDS);
  }
}
