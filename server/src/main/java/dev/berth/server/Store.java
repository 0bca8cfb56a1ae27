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
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.Stored;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.Entity;
import dev.berth.model.Job;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.SecretRef;
import dev.berth.model.api.AttemptView;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads runs and events for the API, from the ledger. */
final class Store {
  private static final int FIRST_EVENTS = 20;

  private final Ledger ledger;

  Store(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The newest run of a name. */
  Optional<Run> findRun(String project, String name) {
    return ledger
        .findLatestByName(Ledger.MAIN_REALM, "run", project, name)
        .map(stored -> (Run) Codec.entity(stored.row()));
  }

  Optional<Run> findRunById(String id) {
    return Identifiers.key("run", id)
        .flatMap(key -> ledger.find(Ledger.MAIN_REALM, key))
        .map(stored -> (Run) Codec.entity(stored.row()));
  }

  Run run(String project, String name) {
    return findRun(project, name)
        .or(() -> findRunById(name).filter(run -> run.project().equals(project)))
        .orElseThrow(
            () ->
                new ApiException(
                    404, "there is no run '" + name + "' in the project '" + project + "'"));
  }

  /** A run by its id, which is one look where a name would be two. */
  Run runOfId(String id) {
    return findRunById(id)
        .orElseThrow(() -> new ApiException(404, "the run " + id + " was deleted"));
  }

  /** Whether a run of this name has not ended. */
  boolean isActive(String project, String name) {
    return ledger.findActiveByName(Ledger.MAIN_REALM, "run", project, name).isPresent();
  }

  RunList runs(String project, boolean all, int limit, @Nullable String cursor) {
    EntityQuery query = EntityQuery.all("run", limit).inProject(project);
    query = all ? query : query.active();
    query = cursor == null ? query : query.after(cursor);
    Page<Stored<EntityRow>> page;
    try {
      page = ledger.list(Ledger.MAIN_REALM, query);
    } catch (BadCursorException e) {
      throw new ApiException(400, "invalid parameter 'cursor': " + e.getMessage());
    }
    List<RunView> runs =
        page.items().stream().map(stored -> view((Run) Codec.entity(stored.row()))).toList();
    return new RunList(runs, page.next().orElse(null));
  }

  /** Some of the runs of a project, ended or not. */
  List<Run> someRuns(String project, int most) {
    return ledger
        .list(Ledger.MAIN_REALM, EntityQuery.all("run", most).inProject(project))
        .items()
        .stream()
        .map(stored -> (Run) Codec.entity(stored.row()))
        .toList();
  }

  /** The uploads that active runs name, of every project that ever was. */
  Map<String, Set<String>> uploadsInUse() {
    Map<String, Set<String>> found = new HashMap<>();
    // Projects first: a run of one that is made meanwhile has uploads that are young.
    all(EntityQuery.all("project", EntityQuery.LARGEST_PAGE))
        .forEach(project -> found.put(project.id(), new HashSet<>()));
    for (Entity run : all(EntityQuery.all("run", EntityQuery.LARGEST_PAGE).active())) {
      Set<String> named = found.computeIfAbsent(run.project(), _ -> new HashSet<>());
      Map<String, ?> configuration = ((Run) run).configuration();
      named.addAll(uploads(configuration.get("files"), "archive"));
      named.addAll(uploads(configuration.get("repos"), "changes"));
    }
    return found;
  }

  private static List<String> uploads(@Nullable Object items, String field) {
    List<String> names = new ArrayList<>();
    if (items instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof Map<?, ?> mapping && mapping.get(field) instanceof String name) {
          names.add(name);
        }
      }
    }
    return names;
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
    return attempts(runId, _ -> true);
  }

  /** Those of one node, the oldest first. */
  List<Attempt> attempts(String runId, int node) {
    return attempts(runId, job -> Attempt.numberOf(job.id()) == node).stream()
        .sorted(Comparator.comparing(Attempt::submittedAt).thenComparingInt(Attempt::number))
        .toList();
  }

  private List<Attempt> attempts(String runId, Predicate<Entity> ofJob) {
    return children("job", runId).stream()
        .filter(ofJob)
        .flatMap(job -> children("attempt", job.id()).stream())
        .map(Attempt.class::cast)
        .sorted(
            Comparator.comparingInt(Attempt::number)
                .thenComparingInt(attempt -> Attempt.numberOf(attempt.jobId())))
        .toList();
  }

  private List<Entity> children(String kind, String parent) {
    return all(EntityQuery.all(kind, EntityQuery.LARGEST_PAGE).ofParent(parent));
  }

  private List<Entity> all(EntityQuery query) {
    return ledger.listAll(Ledger.MAIN_REALM, query).stream()
        .map(stored -> Codec.entity(stored.row()))
        .toList();
  }

  /** The secrets that a job names. */
  List<SecretRef> secretsOf(String jobId) {
    return ledger
        .find(Ledger.MAIN_REALM, new EntityKey("job", jobId))
        .map(stored -> ((Job) Codec.entity(stored.row())).spec().secrets().all())
        .orElse(List.of());
  }

  /** The search for a place that a run has under way; of several, the one that waits. */
  Optional<Placement> placement(Run run) {
    return placements(run).stream()
        .min(Comparator.comparing(placement -> placement.phase() != Placement.State.RESERVING));
  }

  private List<Placement> placements(Run run) {
    return run.active()
        ? all(EntityQuery.all("placement", EntityQuery.LARGEST_PAGE).ofParent(run.id()).active())
            .stream()
            .map(Placement.class::cast)
            .toList()
        : List.of();
  }

  RunView view(Run run) {
    List<Placement> placements = placements(run);
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
        BackendKey.nameOrNull(run.backend()),
        run.price(),
        run.cost(),
        run.policy().priority(),
        nodes(run.configuration()),
        attempt(placements),
        run.active() ? names(run.policy().after()) : List.of(),
        run.due() == null ? nextTry(placements) : run.due(),
        run.submittedAt(),
        run.finishedAt());
  }

  private List<String> names(List<String> runIds) {
    return runIds.stream().map(id -> findRunById(id).map(Run::name).orElse(id)).toList();
  }

  /** How many jobs a configuration has at the same time. */
  static int nodes(Map<String, @Nullable Object> configuration) {
    if (configuration.get("groups") instanceof List<?> groups) {
      return groups.stream()
          .mapToInt(group -> group instanceof Map<?, ?> tree ? number(tree.get("nodes")) : 1)
          .sum();
    }
    return number(configuration.get("nodes"));
  }

  private static int number(@Nullable Object nodes) {
    return nodes instanceof Number count ? count.intValue() : 1;
  }

  private static @Nullable Integer attempt(List<Placement> placements) {
    return placements.stream()
        .flatMap(placement -> placement.members().stream())
        .map(Attempt::numberOf)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private static @Nullable Instant nextTry(List<Placement> placements) {
    return placements.stream()
        .map(Placement::due)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  RunDetail detail(Run run) {
    List<AttemptView> attempts = attempts(run.id()).stream().map(Store::view).toList();
    return new RunDetail(view(run), run.configuration(), attempts);
  }

  private static AttemptView view(Attempt attempt) {
    return new AttemptView(
        attempt.id(),
        Attempt.numberOf(attempt.jobId()),
        attempt.number(),
        attempt.status().word(),
        attempt.reason() == null ? null : attempt.reason().word(),
        attempt.message(),
        attempt.exitCode(),
        BackendKey.nameOrNull(attempt.backend()),
        attempt.instanceId(),
        attempt.price(),
        attempt.submittedAt(),
        attempt.startedAt(),
        attempt.finishedAt(),
        attempt.warnings());
  }

  /** The newest event that is not kept any more; 0 where all are. */
  long trimmedEvents() {
    return ledger.findRealm(Ledger.MAIN_REALM).map(RealmStatus::trimmedSeq).orElse(0L);
  }

  /**
   * Events after a number.
   *
   * @param project null for those of the whole installation
   */
  EventList events(@Nullable String project, long after, int limit) {
    EventQuery query = EventQuery.after(after, limit);
    EventPage page =
        ledger.events(Ledger.MAIN_REALM, project == null ? query : query.inProject(project));
    List<EventView> events = page.events().stream().map(Store::view).toList();
    return new EventList(events, page.nextAfter());
  }

  /** The first events about one thing. */
  List<EventView> eventsAbout(EntityKey key) {
    return ledger
        .events(Ledger.MAIN_REALM, EventQuery.after(0, FIRST_EVENTS).about(key))
        .events()
        .stream()
        .map(Store::view)
        .toList();
  }

  /** Whether there is an event about one thing that matches; reads all of them at worst. */
  boolean hasEvent(EntityKey key, Predicate<EventView> wanted) {
    EventQuery query = EventQuery.after(0, EventQuery.LARGEST_PAGE).about(key);
    while (true) {
      EventPage page = ledger.events(Ledger.MAIN_REALM, query);
      if (page.events().stream().map(Store::view).anyMatch(wanted)) {
        return true;
      }
      if (page.events().size() < EventQuery.LARGEST_PAGE) {
        return false;
      }
      query = EventQuery.after(page.nextAfter(), EventQuery.LARGEST_PAGE).about(key);
    }
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
