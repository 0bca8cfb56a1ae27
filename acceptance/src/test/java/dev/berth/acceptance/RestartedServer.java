package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.CrashingServer.Crash;
import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A server that is killed at moments planned beforehand and started again at once, as a service
 * manager does, while many talk to it. After the last planned death it stays.
 */
final class RestartedServer implements AutoCloseable {
  /** How a process ends that was killed: 128 and the number of KILL. */
  private static final int KILLED = 137;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final TestHome home;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread supervisor;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  /** Deaths to come. Used by the supervisor only. */
  private final Deque<Crash> plan;

  /** Guarded by the lock. */
  private final Map<FailPoint, Integer> hits = new EnumMap<>(FailPoint.class);

  /** Guarded by the lock. */
  private @Nullable RunningCommand server;

  /** Where it answers; null while it does not. Guarded by the lock. */
  private @Nullable String url;

  /** Guarded by the lock. */
  private boolean ending;

  RestartedServer(TestHome home, List<Crash> plan) {
    this.home = home;
    this.plan = new ArrayDeque<>(plan);
    this.supervisor = Thread.ofPlatform().name("supervisor").start(this::supervise);
  }

  /** Where the server is; waits until it is up. */
  String url() {
    lock.lock();
    try {
      long deadline = System.nanoTime() + Await.AT_MOST.toNanos();
      while (System.nanoTime() < deadline && !failure.isDone()) {
        String known = url;
        RunningCommand running = server;
        if (known != null && running != null && running.process().isAlive()) {
          return known;
        }
        // Nobody signals the moment in which a process dies, only that its death was noticed.
        changed.await(BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    throw new AssertionError("the server does not come up", failure.getNow(null));
  }

  /** The token of this home, after the first start. */
  String token() {
    url();
    try {
      return Files.readString(home.folder().resolve("token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client of the server that is there now. */
  BerthClient client() {
    return new BerthClient(url(), token());
  }

  /** How often each point has killed a server. */
  Map<FailPoint, Integer> hits() {
    lock.lock();
    try {
      return new EnumMap<>(hits);
    } finally {
      lock.unlock();
    }
  }

  private void supervise() {
    try {
      while (next()) {
        // Its end starts the next one.
      }
    } catch (RuntimeException | AssertionError e) {
      failure.complete(e);
    }
  }

  /** Starts a server and waits for its end; false where it was the last one. */
  private boolean next() {
    Crash crash = plan.poll();
    home.set("BERTH_FAIL_AT", crash == null ? "" : crash.setting());
    RunningCommand running = started();
    if (running == null) {
      return false;
    }
    long pid = running.process().pid();
    Await.until(
        "the server answers",
        () ->
            !running.process().isAlive()
                || home.embedded().filter(at -> at.get("pid").asLong() == pid).isPresent(),
        running::err);
    publish(home.embedded().map(at -> at.get("url").asString()).orElse(null));
    int code = running.process().onExit().join().exitValue();
    publish(null);
    lock.lock();
    try {
      if (ending) {
        return false;
      }
      assertThat(crash).as("no death was planned, but it ended:\n%s", running.err()).isNotNull();
      assertThat(code).as("how it ended:\n%s", running.err()).isEqualTo(KILLED);
      if (crash != null) {
        hits.merge(crash.point(), 1, Integer::sum);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RunningCommand started() {
    lock.lock();
    try {
      if (!ending) {
        server = home.startProgram(Distribution.server(home.scratch()), home.scratch());
      }
      return ending ? null : server;
    } finally {
      lock.unlock();
    }
  }

  private void publish(@Nullable String now) {
    lock.lock();
    try {
      url = now;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tells the server to end in order, and waits until it has. */
  void end() {
    lock.lock();
    try {
      ending = true;
      if (server != null) {
        server.process().destroy();
      }
    } finally {
      lock.unlock();
    }
    try {
      supervisor.join(Await.AT_MOST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(supervisor.isAlive()).as("the supervisor still waits").isFalse();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      ending = true;
      if (server != null) {
        server.process().destroyForcibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
