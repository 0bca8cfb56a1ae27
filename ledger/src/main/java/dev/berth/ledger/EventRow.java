package dev.berth.ledger;

import java.time.Instant;

/**
 * Something that happened. Events are only appended; the ledger numbers them without gaps.
 *
 * @param at to the millisecond, by the clock of the server that decided it
 * @param project empty for what concerns the whole installation
 * @param actor who caused it: a user, or a part of Berth
 */
public record EventRow(
    Instant at, String kind, EntityKey entity, String project, String actor, Body body) {
  public EventRow {
    at = StorableText.time("at", at);
    kind = StorableText.identifier("kind", kind);
    project = StorableText.identifierOrEmpty("project", project);
    actor = StorableText.label("actor", actor);
  }
}
