package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.control.FailPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server that dies as by a power cut, again and again, at moments planned beforehand, and is
 * started anew whenever somebody needs it.
 */
final class CrashingServer implements AutoCloseable {
  /** How a process ends that was killed: 128 and the number of KILL. */
  private static final int KILLED = 137;

  private final TestHome home;
  private final Map<FailPoint, Integer> hits;
  private final Deque<Crash> plan = new ArrayDeque<>();
  private @Nullable RunningCommand server;
  private @Nullable Crash expected;
  private @Nullable BerthClient client;

  /** The moment at which a server dies: when it comes to a point so many times. */
  record Crash(FailPoint point, int count) {
    String setting() {
      return point.word() + ":" + count;
    }
  }

  /**
   * A server on a home.
   *
   * @param hits counts how often each point was hit
   */
  CrashingServer(TestHome home, Map<FailPoint, Integer> hits) {
    this.home = home;
    this.hits = hits;
  }

  /** The next server to be started, if any, shall die then. */
  void plan(Crash crash) {
    plan.add(crash);
  }

  /**
   * Asks the server, and the next one where it dies before the answer. The request must be one that
   * may be repeated.
   */
  <T> T ask(Function<BerthClient, T> request) {
    while (true) {
      try {
        return request.apply(running());
      } catch (ClientException e) {
        if (!e.isUnreachable()) {
          throw e;
        }
        awaitDeath();
      }
    }
  }

  /** Kills the server now, whatever was planned for it, and forgets what else was planned. */
  void kill() {
    plan.clear();
    RunningCommand running = server;
    if (running != null && running.process().isAlive()) {
      running.process().destroyForcibly();
      running.await();
      forget();
    } else if (running != null) {
      awaitDeath();
    }
  }

  /** Tells the server to end in order, which no crash prevents any more. */
  void end() {
    RunningCommand running = server;
    if (running != null) {
      running.process().destroy();
      running.await();
      forget();
    }
  }

  private BerthClient running() {
    while (true) {
      RunningCommand running = server;
      BerthClient open = client;
      if (running == null) {
        start();
      } else if (!running.process().isAlive()) {
        awaitDeath();
      } else if (open == null) {
        connect(running);
      } else {
        return open;
      }
    }
  }

  private void start() {
    expected = plan.poll();
    home.set("BERTH_FAIL_AT", expected == null ? "" : expected.setting());
    server = home.startProgram(Distribution.server(home.scratch()), home.scratch());
  }

  /** Waits until the server tells its address, or is dead. */
  private void connect(RunningCommand running) {
    long pid = running.process().pid();
    Await.until(
        "the server answers",
        () ->
            !running.process().isAlive()
                || home.embedded().filter(at -> at.get("pid").asLong() == pid).isPresent(),
        running::err);
    if (running.process().isAlive()) {
      try {
        String token = Files.readString(home.folder().resolve("token")).strip();
        String url = home.embedded().orElseThrow().get("url").asString();
        client = new BerthClient(url, token);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A server that does not answer is dying; that it dies for another reason is a fault. */
  private void awaitDeath() {
    RunningCommand running = server;
    Crash crash = expected;
    if (running != null) {
      FinishedCommand dead = running.await();
      assertThat(crash).as("no crash was planned, but it died:\n%s", dead.err()).isNotNull();
      dead.expect(KILLED);
      if (crash != null) {
        hits.merge(crash.point(), 1, Integer::sum);
      }
    }
    forget();
  }

  private void forget() {
    if (client != null) {
      client.close();
    }
    server = null;
    client = null;
    expected = null;
  }

  @Override
  public void close() {
    if (server != null) {
      server.process().destroyForcibly();
    }
    if (client != null) {
      client.close();
    }
  }
}
