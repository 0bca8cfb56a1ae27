package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.decisions.Message;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Writes down who changed which backend; settings that are secret are told by nobody. */
final class BackendEvents {
  private static final System.Logger LOG = System.getLogger(BackendEvents.class.getName());
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private final ControlPlane control;

  BackendEvents(ControlPlane control) {
    this.control = control;
  }

  /**
   * Tells a change after it was made. One that cannot be told is not taken back: it is in the log.
   *
   * @param before what was there; null for nothing
   * @param now what is there; null for nothing
   */
  void tell(Backends.@Nullable Entry before, Backends.@Nullable Entry now, String actor) {
    Backends.Entry one = now == null ? before : now;
    if (one == null || (before != null && now != null && isSame(before, now))) {
      return;
    }
    String kind =
        before == null ? "backend.added" : now == null ? "backend.removed" : "backend.changed";
    try {
      control
          .send(
              Envelope.of(
                  new Message.BackendTold(kind, one.key(), facts(before), facts(now), actor)))
          .get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "No event could be kept of " + kind + " " + one.key() + " by " + actor,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** By what is kept, so that another password is a change although nobody is shown it. */
  private static boolean isSame(Backends.Entry before, Backends.Entry now) {
    StoredBackend old = before.added();
    StoredBackend current = now.added();
    return before.equals(now)
        || (old != null
            && current != null
            && old.type().equals(current.type())
            && old.config().equals(current.config()));
  }

  private static Map<String, Object> facts(Backends.@Nullable Entry entry) {
    if (entry == null) {
      return Map.of();
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", entry.name());
    facts.put("type", entry.type());
    facts.put("origin", entry.added() != null && entry.added().declared() ? "declared" : "added");
    if (entry.configured() != null) {
      facts.put("config", entry.configured().redacted());
    }
    return facts;
  }
}
