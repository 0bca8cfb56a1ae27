package dev.berth.ledger;

import java.util.List;

/**
 * Events in the order of their numbers.
 *
 * @param nextAfter what to ask after next: everything up to this number was seen, matching or not
 * @param trimmedSeq the newest event that retention removed; higher than what was asked for means
 *     that the reader missed events and must read the current rows instead
 */
public record EventPage(List<Stored<EventRow>> events, long nextAfter, long trimmedSeq) {
  public EventPage {
    events = List.copyOf(events);
  }

  /** The page of a query that found these events while the realm stood at {@code seq}. */
  static EventPage of(List<Stored<EventRow>> found, EventQuery query, long seq, long trimmedSeq) {
    long seen = found.size() == query.limit() ? found.getLast().seq() : seq;
    return new EventPage(found, Math.max(seen, query.after()), trimmedSeq);
  }
}
