package dev.berth.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that must happen in the world, written in the commit that decided it.
 *
 * @param entity the entity whose life the action's report continues
 * @param resourceKey the key of the resource that the action changes, where there is one
 * @param due not to be handed over before this time; null is at once
 * @param attempts how often it was handed over
 * @param finishedAt set exactly when the state is a finished one; retention counts from it
 */
public record ActionRow(
    String id,
    String kind,
    EntityKey entity,
    @Nullable String resourceKey,
    ActionState state,
    @Nullable Instant due,
    Instant deadline,
    int attempts,
    @Nullable Instant finishedAt,
    Body body) {
  public ActionRow {
    id = StorableText.identifier("id", id);
    kind = StorableText.identifier("kind", kind);
    resourceKey = StorableText.identifierOrNull("resource key", resourceKey);
    due = StorableText.timeOrNull("due", due);
    deadline = StorableText.time("deadline", deadline);
    finishedAt = StorableText.timeOrNull("finished at", finishedAt);
    if (attempts < 0) {
      throw new IllegalArgumentException("attempts is negative: " + attempts);
    }
    if (state.finished() != (finishedAt != null)) {
      throw new IllegalArgumentException(
          "action " + id + " is " + state.word() + " but its finish time is " + finishedAt);
    }
  }
}
