package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is active by its state, and measures how long attempts wait for a place and for their
 * start. It goes by what each commit changed, so that nobody looks through all that is active. Only
 * for the thread that steps the loop, besides {@link #counts}.
 */
final class StateMetrics {
  private static final Set<Entity.Kind> COUNTED =
      EnumSet.of(
          Entity.Kind.RUN,
          Entity.Kind.ATTEMPT,
          Entity.Kind.PLACEMENT,
          Entity.Kind.RESOURCE,
          Entity.Kind.INSTANCE,
          Entity.Kind.FLEET);

  private final Instruments instruments;

  /** In which group each entity is, by kind and id. */
  private final Map<Entity.Kind, Map<String, Group>> groups = new EnumMap<>(Entity.Kind.class);

  /** When attempts and machines got their place, until they are ready. */
  private final Map<String, Instant> placedAt = new HashMap<>();

  private final Map<Group, LongAdder> counts = new ConcurrentHashMap<>();

  /**
   * What is counted together.
   *
   * @param backend empty for what is at none
   */
  record Group(Entity.Kind kind, String state, String backend) {}

  StateMetrics(Instruments instruments) {
    this.instruments = instruments;
    COUNTED.forEach(kind -> groups.put(kind, new HashMap<>()));
  }

  /** How many there are in each group; one that was ever seen stays, with zero. */
  Map<Group, Long> counts() {
    Map<Group, Long> now = new HashMap<>();
    counts.forEach((group, count) -> now.put(group, count.sum()));
    return now;
  }

  /** Knows exactly what the view shows. How long those of before waited is not known any more. */
  void loaded(View view) {
    groups.forEach((_, members) -> members.clear());
    placedAt.clear();
    counts.values().forEach(LongAdder::reset);
    view.active(Run.class).forEach(this::enter);
    view.active(Attempt.class).forEach(this::enter);
    view.active(Placement.class).forEach(this::enter);
    view.active(Resource.class).forEach(this::enter);
    view.active(Instance.class).forEach(this::enter);
    view.active(Fleet.class).forEach(this::enter);
  }

  void written(Entity entity, Instant now) {
    if (!COUNTED.contains(entity.kind())) {
      return;
    }
    Group before = enter(entity);
    if (entity instanceof Attempt attempt) {
      measure(attempt, before, now);
    } else if (entity instanceof Instance machine) {
      measure(machine, before, now);
    } else if (entity instanceof Resource resource) {
      if (before != null && !resource.active() && resource.ownerId().isEmpty()) {
        instruments.strangerGone(resource.backend());
      }
    }
  }

  void deleted(Entity entity) {
    Map<String, Group> members = groups.get(entity.kind());
    if (members != null) {
      leave(members.remove(entity.id()));
      placedAt.remove(entity.id());
    }
  }

  /** Puts an entity where it belongs, or nowhere once it is over; returns where it was. */
  private @Nullable Group enter(Entity entity) {
    Map<String, Group> members = groups.getOrDefault(entity.kind(), Map.of());
    Group before = members.get(entity.id());
    String backend = backendOf(entity);
    if (before != null
        && entity.active()
        && before.state().equals(entity.state())
        && before.backend().equals(backend)) {
      return before;
    }
    leave(before);
    if (entity.active()) {
      Group next = new Group(entity.kind(), entity.state(), backend);
      members.put(entity.id(), next);
      counts.computeIfAbsent(next, _ -> new LongAdder()).increment();
    } else {
      members.remove(entity.id());
    }
    return before;
  }

  private void leave(@Nullable Group group) {
    LongAdder count = group == null ? null : counts.get(group);
    if (count != null) {
      count.decrement();
    }
  }

  private static String backendOf(Entity entity) {
    return entity instanceof Resource resource
        ? resource.backend()
        : entity instanceof Instance machine ? machine.backend() : "";
  }

  private void measure(Attempt attempt, @Nullable Group before, Instant now) {
    boolean waited = before == null || before.state().equals(JobStatus.SUBMITTED.word());
    if (waited && attempt.status() == JobStatus.PROVISIONING) {
      instruments.placed(between(attempt.submittedAt(), now));
      placedAt.put(attempt.id(), now);
      return;
    }
    Instant startedAt = attempt.startedAt();
    Instant from = startedAt == null && attempt.active() ? null : placedAt.remove(attempt.id());
    if (from != null && startedAt != null) {
      // The clock of another machine may say anything.
      Instant ready = startedAt.isAfter(now) ? now : startedAt;
      String backend = attempt.backend();
      instruments.provisioned(
          backend == null ? "" : backend, Instruments.Provisioned.JOB, between(from, ready));
    }
  }

  private void measure(Instance machine, @Nullable Group before, Instant now) {
    if (machine.purchase() == null) {
      return;
    }
    if (before == null && !machine.status().isReady()) {
      placedAt.put(machine.id(), now);
    } else if (machine.status().isReady() || !machine.active()) {
      Instant from = placedAt.remove(machine.id());
      if (from != null && machine.active()) {
        instruments.provisioned(
            machine.backend(), Instruments.Provisioned.MACHINE, between(from, now));
      }
    }
  }

  private static Duration between(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    return time.isNegative() ? Duration.ZERO : time;
  }
}
