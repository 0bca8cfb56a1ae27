package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends programs that have no runner: asks first, and kills them when their time is over. */
final class DirectStops {
  private static final System.Logger LOGGER = System.getLogger(DirectStops.class.getName());

  private final Engine engine;
  private final InstantSource clock;
  private final CountDownLatch closed;

  /**
   * Of an engine.
   *
   * @param closed is down when nobody shall be ended any more
   */
  DirectStops(Engine engine, InstantSource clock, CountDownLatch closed) {
    this.engine = engine;
    this.clock = clock;
    this.closed = closed;
  }

  /** Asks a program to end, and sees to it that it does. */
  void ask(JobDirectory directory, ExitReason reason, Duration grace) {
    if (!directory.exists() || directory.exit().isPresent()) {
      return;
    }
    String name = ContainerPaths.name(directory.attemptId());
    directory.createOnce("ending", reason.word() + "\n");
    long deadline = clock.instant().plus(grace).toEpochMilli();
    Optional<Long> before =
        directory
            .text(JobDirectory.DEADLINE)
            .map(String::strip)
            .filter(text -> text.matches("[0-9]{1,18}"))
            .map(Long::valueOf);
    if (before.isEmpty()) {
      engine.kill(name, grace.isZero() ? "KILL" : "TERM");
    }
    // Later requests may shorten the time, never lengthen it.
    long earliest = Math.min(before.orElse(deadline), deadline);
    directory.replace(JobDirectory.DEADLINE, earliest + "\n");
    after(
        Duration.ofMillis(earliest - clock.instant().toEpochMilli()),
        () -> engine.kill(name, "KILL"));
  }

  /** Does something later, unless we are closed before. */
  void after(Duration delay, Runnable action) {
    Thread.ofVirtual()
        .name("direct-timer")
        .start(
            () -> {
              try {
                if (!closed.await(Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS)) {
                  done(action);
                }
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void done(Runnable action) {
    try {
      action.run();
    } catch (EngineException | HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "A job was not asked to end", failure);
    }
  }
}
