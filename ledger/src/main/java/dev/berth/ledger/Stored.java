package dev.berth.ledger;

/**
 * A row as the ledger holds it, with the event number that places it in history.
 *
 * @param seq an event's own number; for an entity, the newest event number when it was last
 *     written; for an action or reply, when it was first written
 */
public record Stored<T>(long seq, T row) {}
