package dev.berth.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Which entities of one kind to list. Every filter that is null is not applied.
 *
 * @param namePrefix matched letter by letter, upper and lower case being different
 * @param limit rows in a page, 1 to 1000
 * @param cursor {@link Page#next()} of the page before, from a query with the same filters
 */
public record EntityQuery(
    String kind,
    @Nullable String project,
    @Nullable String parent,
    @Nullable String namePrefix,
    boolean activeOnly,
    int limit,
    @Nullable String cursor) {
  public static final int LARGEST_PAGE = 1000;

  public EntityQuery {
    kind = StorableText.identifier("kind", kind);
    project = project == null ? null : StorableText.identifierOrEmpty("project", project);
    parent = StorableText.identifierOrNull("parent", parent);
    namePrefix = namePrefix == null ? null : StorableText.label("name prefix", namePrefix);
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException("limit is " + limit + "; it is from 1 to " + LARGEST_PAGE);
    }
  }

  /** All entities of a kind, active or not, in every project. */
  public static EntityQuery all(String kind, int limit) {
    return new EntityQuery(kind, null, null, null, false, limit, null);
  }

  public EntityQuery inProject(String name) {
    return new EntityQuery(kind, name, parent, namePrefix, activeOnly, limit, cursor);
  }

  public EntityQuery ofParent(String id) {
    return new EntityQuery(kind, project, id, namePrefix, activeOnly, limit, cursor);
  }

  public EntityQuery named(String prefix) {
    return new EntityQuery(kind, project, parent, prefix, activeOnly, limit, cursor);
  }

  public EntityQuery active() {
    return new EntityQuery(kind, project, parent, namePrefix, true, limit, cursor);
  }

  public EntityQuery after(String position) {
    return new EntityQuery(kind, project, parent, namePrefix, activeOnly, limit, position);
  }
}
