package dev.berth.backends.sim;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Tells when jobs of an owner start or end. Sleeps until the next job is due by the cloud's times,
 * or until a call changes something; looks now and then where others share the cloud.
 */
final class SimWatch implements AutoCloseable {
  private static final Duration SHARED_LOOK = Duration.ofMillis(500);
  private static final Duration LONGEST_SLEEP = Duration.ofHours(1);
  private static final Duration JOIN_TIME = Duration.ofSeconds(5);

  private final SimCloud cloud;
  private final Owner owner;
  private final Consumer<String> changed;
  private final Thread thread;

  /** Written by whoever closes, read by the thread. */
  private volatile boolean closed;

  SimWatch(SimCloud cloud, Owner owner, Consumer<String> changed) {
    this.cloud = cloud;
    this.owner = owner;
    this.changed = changed;
    long seen = cloud.changes().count();
    Look first = look(new Look(Map.of(), 0, List.of(), Duration.ZERO));
    this.thread =
        Thread.ofPlatform().daemon().name("sim-watch").unstarted(() -> follow(seen, first));
    thread.start();
  }

  /**
   * What was seen: how far each job is that has not ended, by the cloud's id, and the last number
   * that the cloud gave out.
   */
  private record Look(
      Map<String, Class<? extends JobObservation>> running,
      long lastNumber,
      List<String> news,
      Duration untilNext) {}

  private void follow(long firstSeen, Look first) {
    long seen = firstSeen;
    Look last = first;
    while (!closed) {
      try {
        cloud.changes().await(seen, last.untilNext());
      } catch (InterruptedException _) {
        // Only closing interrupts it.
        return;
      }
      seen = cloud.changes().count();
      last = lookAgain(last);
      for (String key : last.news()) {
        if (!closed) {
          changed.accept(key);
        }
      }
    }
  }

  /** Looks; where the cloud's file cannot be read now, nothing has changed, and it tries again. */
  private Look lookAgain(Look before) {
    try {
      return look(before);
    } catch (BackendException.Transient _) {
      return new Look(before.running(), before.lastNumber(), List.of(), SHARED_LOOK);
    }
  }

  private Look look(Look before) {
    return cloud.look(
        turn -> {
          Map<String, Class<? extends JobObservation>> running = new LinkedHashMap<>();
          List<String> news = new ArrayList<>();
          Duration untilNext = cloud.isShared() ? SHARED_LOOK : LONGEST_SLEEP;
          for (SimJob job : candidates(turn.world(), before)) {
            Class<? extends JobObservation> phase =
                JobEnd.observation(job, turn.now(), Duration.ZERO).getClass();
            Class<? extends JobObservation> was =
                before.running().getOrDefault(job.id(), JobObservation.Prepared.class);
            if (phase != was && job.removedAt() == null) {
              news.add(job.key());
            }
            if (phase != JobObservation.Exited.class) {
              running.put(job.id(), phase);
              untilNext = earliest(job, turn.now(), untilNext);
            }
          }
          return new Look(running, turn.world().lastNumber(), news, untilNext);
        });
  }

  /** The jobs that may have changed: those that had not ended, and those that are new. */
  private List<SimJob> candidates(World world, Look before) {
    List<SimJob> found = new ArrayList<>();
    before.running().keySet().forEach(id -> world.job(id).ifPresent(found::add));
    world.jobsAfter(before.lastNumber()).stream()
        .filter(job -> job.belongsTo(owner.installation()))
        .forEach(found::add);
    return found;
  }

  private static Duration earliest(SimJob job, Instant now, Duration most) {
    return times(job)
        .filter(time -> time.isAfter(now))
        .map(time -> Duration.between(now, time))
        .reduce(most, (one, other) -> one.compareTo(other) < 0 ? one : other);
  }

  private static Stream<Instant> times(SimJob job) {
    return Stream.concat(
        Optional.ofNullable(job.course().startAt()).stream(),
        JobEnd.of(job).map(JobEnd::at).stream());
  }

  /** Whether its thread is there. */
  boolean isRunning() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    closed = true;
    // It may be closed by the one who is called back.
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(JOIN_TIME);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
