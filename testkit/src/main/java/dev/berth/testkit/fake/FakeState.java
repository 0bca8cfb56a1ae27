package dev.berth.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a handler sees and changes. The only place where anything at a fake cloud changes, so that a
 * fault can fall before the effect, behind it, or into the middle of it. A handler for reads sees
 * the state of some time ago where reads lag, and may change nothing.
 */
public final class FakeState {
  private final FakeStore store;
  private final Instant now;
  private final Instant seen;
  private final boolean writes;
  private final FaultsOfCall faults;
  private int changes;

  FakeState(FakeStore store, Instant now, Instant seen, boolean writes, FaultsOfCall faults) {
    this.store = store;
    this.now = now;
    this.seen = seen;
    this.writes = writes;
    this.faults = faults;
  }

  /** The time of the call. */
  public Instant now() {
    return now;
  }

  /** A thing, if it exists. */
  public Optional<FakeItem> find(String kind, String id) {
    FakeStore.Line line = store.find(kind, id);
    return line == null ? Optional.empty() : Optional.ofNullable(item(line, seen));
  }

  /**
   * A thing that must exist.
   *
   * @throws FakeRefusal 404 where it does not
   */
  public FakeItem require(String kind, String id) {
    return find(kind, id)
        .orElseThrow(() -> FakeRefusal.notFound("there is no %s \"%s\"".formatted(kind, id)));
  }

  /** All that exist of a kind, the oldest first. */
  public List<FakeItem> all(String kind) {
    List<FakeItem> found = new ArrayList<>();
    for (FakeStore.Line line : store.all()) {
      FakeItem item = line.kind().equals(kind) ? item(line, seen) : null;
      if (item != null) {
        found.add(item);
      }
    }
    found.sort(Comparator.comparing(FakeItem::createdAt));
    return found;
  }

  /** An id that no thing of this cloud ever had. */
  public String nextId(String prefix) {
    return prefix + store.nextNumber();
  }

  /**
   * Makes or changes a thing now; whatever was planned for it is forgotten.
   *
   * @param body a record, a map or a tree of Jackson
   */
  public FakeItem put(String kind, String id, Object body) {
    JsonNode tree = FakeRequest.JSON.valueToTree(body);
    happen(line(kind, id).changed(new FakeStore.Version(now, tree)));
    return new FakeItem(kind, id, require(kind, id).createdAt(), tree);
  }

  /** Plans what a thing will be after a while, if nothing else happens to it before. */
  public void plan(String kind, String id, Duration after, Object body) {
    JsonNode tree = FakeRequest.JSON.valueToTree(body);
    change(line(kind, id).planned(new FakeStore.Version(now.plus(after), tree)));
  }

  /** Takes a thing away now; silent where there is none. */
  public void remove(String kind, String id) {
    if (find(kind, id).isPresent()) {
      happen(line(kind, id).changed(new FakeStore.Version(now, null)));
    }
  }

  /** Plans that a thing will not exist any more after a while. */
  public void planRemoval(String kind, String id, Duration after) {
    change(line(kind, id).planned(new FakeStore.Version(now.plus(after), null)));
  }

  /**
   * Why what is accepted by this call shall be refused later, where a fault wants so: see {@link
   * FakeFault.RefusedLater}.
   */
  public Optional<String> refusedLater() {
    return faults.refusedLater();
  }

  private FakeStore.Line line(String kind, String id) {
    FakeStore.Line known = store.find(kind, id);
    return known == null ? new FakeStore.Line(kind, id, List.of()) : known;
  }

  private void happen(FakeStore.Line line) {
    faults.beforeChange(changes++);
    change(line);
  }

  private void change(FakeStore.Line line) {
    if (!writes) {
      throw new IllegalStateException(
          "a route for reads changed a " + line.kind() + ": declare it with FakeApi.write");
    }
    store.put(line);
  }

  /** What a line shows at a moment; null where it shows nothing. */
  static @Nullable FakeItem item(FakeStore.Line line, Instant moment) {
    FakeStore.Version version = line.at(moment);
    JsonNode body = version == null ? null : version.body();
    return body == null ? null : new FakeItem(line.kind(), line.id(), since(line, moment), body);
  }

  private static Instant since(FakeStore.Line line, Instant moment) {
    Instant since = moment;
    boolean there = false;
    for (FakeStore.Version version : line.versions()) {
      if (version.at().isAfter(moment)) {
        break;
      }
      if (version.body() != null && !there) {
        since = version.at();
      }
      there = version.body() != null;
    }
    return since;
  }
}
