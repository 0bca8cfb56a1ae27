package dev.berth.hosts.docker;

import dev.berth.model.Pauses;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Follows what an engine tells of containers with a label, and connects again when it is cut off.
 * What happened in between is not told: whoever listens looks at everything after each connection.
 */
public final class EngineEvents implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(EngineEvents.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Engine engine;
  private final String label;
  private final String value;
  private final Listener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** The open stream. Written by the thread; read by whoever closes. */
  private volatile @Nullable EngineResponse open;

  /** Who wants to know. Called by one thread. */
  public interface Listener {
    /** The connection is there, for the first time or again. */
    void connected();

    /** A container started, or ended. */
    void changed(String name, String action);
  }

  /** Starts following. */
  public EngineEvents(Engine engine, String label, String value, Listener listener) {
    this.engine = engine;
    this.label = label;
    this.value = value;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("engine-events").start(this::follow);
  }

  private void follow() {
    Duration pause = FIRST_PAUSE;
    while (closed.getCount() > 0) {
      try (EngineResponse stream = engine.events(label, value)) {
        open = stream;
        pause = FIRST_PAUSE;
        if (closed.getCount() > 0) {
          told(listener::connected);
          stream.lines(line -> parse(line, this::tell));
        }
      } catch (IOException | EngineException failure) {
        if (closed.getCount() > 0) {
          LOGGER.log(System.Logger.Level.DEBUG, "An engine's events were cut off", failure);
        }
      }
      open = null;
      try {
        if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
      pause = Pauses.next(pause, LONGEST_PAUSE);
    }
  }

  private void tell(String name, String action) {
    told(() -> listener.changed(name, action));
  }

  private static void told(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException failure) {
      // One event's trouble must not end the following of all.
      LOGGER.log(System.Logger.Level.ERROR, "A change of a container was not taken in", failure);
    }
  }

  /** What a line tells; called for starts and ends only. */
  interface Event {
    void happened(String name, String action);
  }

  static void parse(String line, Event event) {
    if (line.isBlank()) {
      return;
    }
    JsonNode node = EngineJson.parse(line);
    String action = node.path("Action").asString(node.path("status").asString(""));
    String name = node.path("Actor").path("Attributes").path("name").asString("");
    if (!name.isEmpty() && (action.equals("start") || action.equals("die"))) {
      event.happened(name, action);
    }
  }

  /** Ends the following; a call of the listener may still be on its way. */
  @Override
  public void close() {
    closed.countDown();
    EngineResponse stream = open;
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException failure) {
        LOGGER.log(System.Logger.Level.WARNING, "A stream of events does not close", failure);
      }
    }
    thread.interrupt();
  }
}
