package dev.berth.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of one entity.
 *
 * @param project empty for what belongs to the whole installation
 * @param name unique among the active rows of one kind and project
 * @param parent the id of the row that this one belongs to
 * @param active whether the control loop holds the row in memory; false once its life is over
 * @param due when the entity wants to be looked at again, to the millisecond
 * @param sortKey listings show the highest first; equal keys are ordered by id
 */
public record EntityRow(
    EntityKey key,
    String project,
    @Nullable String name,
    @Nullable String parent,
    String state,
    boolean active,
    @Nullable Instant due,
    long sortKey,
    Body body) {
  public EntityRow {
    project = StorableText.identifierOrEmpty("project", project);
    name = name == null ? null : StorableText.label("name", name);
    parent = StorableText.identifierOrNull("parent", parent);
    state = StorableText.identifier("state", state);
    due = StorableText.timeOrNull("due", due);
  }

  /** The same row with another body. */
  public EntityRow with(Body newBody) {
    return new EntityRow(key, project, name, parent, state, active, due, sortKey, newBody);
  }
}
