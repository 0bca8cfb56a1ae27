package dev.berth.backends.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of the simulated cloud.
 *
 * @param key the attempt that it is for
 * @param owner the installation that started it
 * @param home the machine that it runs on, or the group that it belongs to
 * @param onMachine whether it runs on a machine of ours, and nothing was bought for it
 * @param removedAt when it was removed; it is kept a while, so that its key is known again
 */
record SimJob(
    String id,
    String key,
    String owner,
    Site site,
    @Nullable String home,
    boolean onMachine,
    Wish wish,
    Course course,
    Ending ending,
    @Nullable Instant removedAt,
    boolean unreachable) {
  /**
   * What was asked for.
   *
   * @param script its commands in words
   * @param commandTime how long a command takes that the cloud does not know
   * @param length how long it takes when nobody ends it
   * @param code its exit code then
   * @param deafAfter how long after its start it does not care about TERM any more; null for never
   * @param failure why it cannot start; null where it can
   */
  record Wish(
      List<List<String>> script,
      Duration commandTime,
      Duration length,
      int code,
      @Nullable Duration deafAfter,
      List<Integer> ports,
      @Nullable Duration maxDuration,
      @Nullable Duration stopDuration,
      @Nullable String failure) {
    Wish {
      script = script.stream().map(List::copyOf).toList();
      ports = List.copyOf(ports);
    }

    Wish withoutScript() {
      return new Wish(
          List.of(),
          commandTime,
          length,
          code,
          deafAfter,
          ports,
          maxDuration,
          stopDuration,
          failure);
    }

    /** Whether it does not care about TERM at a time after its start. */
    boolean deaf(Duration time) {
      return deafAfter != null && deafAfter.compareTo(time) <= 0;
    }
  }

  /**
   * How it goes as long as nobody ends it.
   *
   * @param acquiredAt when it got its place; null while it waits for one
   * @param startAt when its commands start
   */
  record Course(
      Instant askedAt,
      @Nullable Instant acquiredAt,
      @Nullable Instant startAt,
      @Nullable Interruption interruption) {}

  /**
   * Who ended it.
   *
   * @param stopAt when it was asked to end
   * @param stopKillAt when what is left of it is killed
   */
  record Ending(
      @Nullable Instant stopAt, @Nullable Instant stopKillAt, @Nullable Instant killedAt) {
    static final Ending NONE = new Ending(null, null, null);

    /** Asked to end; a second time may shorten the grace, and never lengthens it. */
    Ending stopped(Instant at, Duration grace) {
      Instant killAt = at.plus(grace);
      return new Ending(
          stopAt == null ? at : stopAt,
          stopKillAt == null || killAt.isBefore(stopKillAt) ? killAt : stopKillAt,
          killedAt);
    }

    Ending killed(Instant at) {
      return new Ending(stopAt, stopKillAt, killedAt == null ? at : killedAt);
    }
  }

  SimJob with(Ending newEnding) {
    return new SimJob(
        id, key, owner, site, home, onMachine, wish, course, newEnding, removedAt, unreachable);
  }

  /** Removed: nobody reads its output any more, so what made it is forgotten. */
  SimJob removed(Instant at) {
    return new SimJob(
        id,
        key,
        owner,
        site,
        home,
        onMachine,
        wish.withoutScript(),
        course,
        ending.killed(at),
        at,
        unreachable);
  }

  /** The same, at the place that it waited for. */
  SimJob placed(Site newSite, Course newCourse) {
    return new SimJob(
        id, key, owner, newSite, home, onMachine, wish, newCourse, ending, removedAt, unreachable);
  }

  boolean belongsTo(String installation) {
    return owner.equals(installation);
  }

  /** Whether it waits for a place. */
  boolean waiting(Instant now) {
    return course.acquiredAt() == null && removedAt == null && !JobEnd.over(this, now);
  }

  /** Whether it takes up a place, or is on its way to it. */
  boolean occupies(Instant now) {
    return course.acquiredAt() != null && !JobEnd.over(this, now);
  }
}
