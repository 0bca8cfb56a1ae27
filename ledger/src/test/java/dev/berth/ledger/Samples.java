package dev.berth.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows for tests, with everything that a test does not care about filled in. */
final class Samples {
  static final String REALM = "default";
  static final Instant NOON = Instant.parse("2026-11-01T12:00:00.123Z");

  private Samples() {}

  static Body body(String json) {
    return new Body(1, json);
  }

  static EntityKey run(String id) {
    return new EntityKey("run", id);
  }

  static EntityRow active(String id, @Nullable String name, long sortKey) {
    return entity(id, "main", name, null, true, sortKey);
  }

  static EntityRow finished(String id, @Nullable String name, long sortKey) {
    return entity(id, "main", name, null, false, sortKey);
  }

  static EntityRow entity(
      String id,
      String project,
      @Nullable String name,
      @Nullable String parent,
      boolean active,
      long sortKey) {
    return new EntityRow(
        run(id),
        project,
        name,
        parent,
        active ? "running" : "done",
        active,
        active ? NOON.plusSeconds(sortKey) : null,
        sortKey,
        body("{\"id\":\"" + id + "\"}"));
  }

  static EventRow event(String entity, String project, Instant at) {
    return new EventRow(at, "changed", run(entity), project, "tester", body("{}"));
  }

  static EventRow event(String entity) {
    return event(entity, "main", NOON);
  }

  static ActionRow action(String id, @Nullable String resource, ActionState state) {
    return new ActionRow(
        id,
        "create",
        run("a"),
        resource,
        state,
        state == ActionState.PENDING ? NOON : null,
        NOON.plusSeconds(60),
        state == ActionState.PENDING ? 0 : 1,
        state.finished() ? NOON : null,
        body("{}"));
  }

  static ReplyRow reply(String key, String hash, Instant at) {
    return new ReplyRow(new IdempotencyKey("main/me", key), hash, "{\"key\":\"" + key + "\"}", at);
  }

  static Commit put(EntityRow... rows) {
    Commit.Builder builder = Commit.builder();
    List.of(rows).forEach(builder::put);
    return builder.build();
  }

  static List<String> ids(Page<Stored<EntityRow>> page) {
    return page.items().stream().map(stored -> stored.row().key().id()).toList();
  }

  /** Where the realm stands, without the time. */
  static List<Object> standing(Ledger ledger) {
    RealmStatus status = ledger.findRealm(REALM).orElseThrow();
    return List.of(
        status.realm(), status.owner(), status.epoch(), status.seq(), status.trimmedSeq());
  }

  static List<Stored<EntityRow>> readActive(Ledger ledger, String realm) {
    List<Stored<EntityRow>> rows = new ArrayList<>();
    ledger.readActive(realm, rows::add);
    return rows;
  }

  static List<Stored<EventRow>> allEvents(Ledger ledger, String realm) {
    List<Stored<EventRow>> events = new ArrayList<>();
    EventPage page = ledger.events(realm, EventQuery.after(0, EventQuery.LARGEST_PAGE));
    while (!page.events().isEmpty()) {
      events.addAll(page.events());
      page = ledger.events(realm, EventQuery.after(page.nextAfter(), EventQuery.LARGEST_PAGE));
    }
    return events;
  }

  static List<Stored<EntityRow>> allPages(Ledger ledger, String realm, EntityQuery query) {
    List<Stored<EntityRow>> rows = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Stored<EntityRow>> page =
          ledger.list(realm, next.isPresent() ? query.after(next.get()) : query);
      rows.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return rows;
  }
}
