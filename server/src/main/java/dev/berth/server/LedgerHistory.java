package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.ControlPlane;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.server.traces.RunHistory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Gives traces what the ledger of an active server holds. */
record LedgerHistory(ControlPlane control, Ledger ledger, Store store) implements RunHistory {
  @Override
  public EventList after(long seq, int limit) {
    return store.events(null, seq, limit);
  }

  @Override
  public long await(long seq, Duration atMost) throws InterruptedException {
    return control.awaitEvents(seq, atMost);
  }

  @Override
  public List<EventView> about(String kind, String id) {
    return Identifiers.key(kind, id).map(store::eventsAbout).orElse(List.of());
  }

  @Override
  public boolean isOver(String runId, int execution) {
    return store.hasEvent(
        new EntityKey("run", runId),
        event ->
            event.kind().equals("run.execution_ended")
                && event.data().get("execution") instanceof Number number
                && number.intValue() == execution);
  }

  @Override
  public Optional<Run> run(String id) {
    return store.findRunById(id);
  }

  @Override
  public Optional<Attempt> attempt(String id) {
    return find(new EntityKey("attempt", id)).map(Attempt.class::cast);
  }

  @Override
  public Optional<String> runOfMachine(String id) {
    String owner =
        find(new EntityKey("resource", id)).map(found -> ((Resource) found).ownerId()).orElse("");
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    // What is not for a machine is for a fleet.
    String fleetId =
        find(new EntityKey("instance", owner))
            .flatMap(found -> Optional.ofNullable(((Instance) found).purchase()))
            .map(Purchase::fleetId)
            .orElse(owner);
    return find(new EntityKey("fleet", fleetId)).flatMap(found -> ((Fleet) found).madeFor());
  }

  private Optional<Entity> find(EntityKey key) {
    return ledger.find(Ledger.MAIN_REALM, key).map(stored -> Codec.entity(stored.row()));
  }
}
