package dev.berth.server.webhooks;

import dev.berth.model.Webhook;
import dev.berth.model.api.EventList;
import java.time.Duration;
import java.util.List;

/** Where webhooks get their events, and where it is kept how far each of them is. */
public interface HookEvents {
  /** The webhook as it is kept; one that is new begins after the newest event. */
  Webhook begin(String name) throws InterruptedException;

  /** All that are kept. */
  List<Webhook> kept();

  /** Keeps that all events up to a number are dealt with, of which some were given up. */
  void keep(String name, long seq, long skipped) throws InterruptedException;

  /** Forgets how far one is. */
  void forget(String name) throws InterruptedException;

  /** Events after a number, the oldest first; none of those that webhooks cause. */
  EventList after(long seq, int limit);

  /** The newest event that is not kept any more; 0 where all are. */
  long trimmed();

  /** Waits for events after a number, at most so long. */
  void await(long seq, Duration atMost) throws InterruptedException;
}
