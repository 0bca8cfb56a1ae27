package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.ledger.BadCursorException;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.EventPage;
import dev.berth.ledger.EventQuery;
import dev.berth.ledger.EventRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Page;
import dev.berth.ledger.Stored;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import dev.berth.model.api.AttemptView;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads runs and events for the API, from the ledger. */
final class Store {
  private static final String REALM = "main";

  private final Ledger ledger;

  Store(Ledger ledger) {
    this.ledger = ledger;
  }

  Run run(String project, String name) {
    return ledger
        .findLatestByName(REALM, "run", project, name)
        .or(
            () ->
                ledger
                    .find(REALM, new EntityKey("run", name))
                    .filter(stored -> stored.row().project().equals(project)))
        .map(stored -> (Run) Codec.entity(stored.row()))
        .orElseThrow(
            () ->
                new ApiException(
                    404, "there is no run '" + name + "' in the project '" + project + "'"));
  }

  RunList runs(String project, boolean all, int limit, @Nullable String cursor) {
    EntityQuery query = EntityQuery.all("run", limit).inProject(project);
    query = all ? query : query.active();
    query = cursor == null ? query : query.after(cursor);
    Page<Stored<EntityRow>> page;
    try {
      page = ledger.list(REALM, query);
    } catch (BadCursorException e) {
      throw new ApiException(400, "the parameter 'cursor' is wrong: " + e.getMessage());
    }
    List<RunView> runs =
        page.items().stream().map(stored -> view((Run) Codec.entity(stored.row()))).toList();
    return new RunList(runs, page.next().orElse(null));
  }

  List<Entity> belongings(Run run) {
    List<Entity> found = new ArrayList<>();
    for (Entity job : children("job", run.id())) {
      found.add(job);
      for (Entity attempt : children("attempt", job.id())) {
        found.add(attempt);
        found.addAll(children("resource", attempt.id()));
      }
    }
    found.addAll(children("placement", run.id()));
    return found;
  }

  List<Attempt> attempts(String runId) {
    return children("job", runId).stream()
        .flatMap(job -> children("attempt", job.id()).stream())
        .map(Attempt.class::cast)
        .sorted(Comparator.comparingInt(Attempt::number))
        .toList();
  }

  private List<Entity> children(String kind, String parent) {
    return ledger
        .list(REALM, EntityQuery.all(kind, EntityQuery.LARGEST_PAGE).ofParent(parent))
        .items()
        .stream()
        .map(stored -> Codec.entity(stored.row()))
        .toList();
  }

  static RunView view(Run run) {
    return new RunView(
        run.id(),
        run.name(),
        run.type(),
        run.project(),
        run.user(),
        run.status().word(),
        run.reason() == null ? null : run.reason().word(),
        run.message(),
        run.exitCode(),
        run.backend(),
        run.price(),
        run.cost(),
        run.submittedAt(),
        run.finishedAt());
  }

  RunDetail detail(Run run) {
    List<AttemptView> attempts = attempts(run.id()).stream().map(Store::view).toList();
    return new RunDetail(view(run), run.configuration(), attempts);
  }

  private static AttemptView view(Attempt attempt) {
    return new AttemptView(
        attempt.id(),
        attempt.number(),
        attempt.status().word(),
        attempt.reason() == null ? null : attempt.reason().word(),
        attempt.message(),
        attempt.exitCode(),
        attempt.backend(),
        attempt.instanceId(),
        attempt.submittedAt(),
        attempt.startedAt(),
        attempt.finishedAt());
  }

  EventList events(String project, long after, int limit) {
    EventPage page = ledger.events(REALM, EventQuery.after(after, limit).inProject(project));
    List<EventView> events = page.events().stream().map(Store::view).toList();
    return new EventList(events, page.nextAfter());
  }

  @SuppressWarnings("unchecked")
  private static EventView view(Stored<EventRow> stored) {
    EventRow row = stored.row();
    return new EventView(
        stored.seq(),
        row.at(),
        row.kind(),
        row.entity().kind(),
        row.entity().id(),
        row.project(),
        row.actor(),
        ApiJson.MAPPER.readValue(row.body().json(), Map.class));
  }
}
