package dev.berth.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Which events to read, oldest first. Every filter that is null is not applied.
 *
 * @param after only events with a higher number
 * @param limit events in a page, 1 to 1000
 */
public record EventQuery(
    long after, @Nullable EntityKey entity, @Nullable String project, int limit) {
  public static final int LARGEST_PAGE = 1000;

  public EventQuery {
    project = project == null ? null : StorableText.identifierOrEmpty("project", project);
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException("limit is " + limit + "; it is from 1 to " + LARGEST_PAGE);
    }
  }

  public static EventQuery after(long seq, int limit) {
    return new EventQuery(seq, null, null, limit);
  }

  public EventQuery about(EntityKey key) {
    return new EventQuery(after, key, project, limit);
  }

  public EventQuery inProject(String name) {
    return new EventQuery(after, entity, name, limit);
  }
}
