package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.Ledger;
import dev.berth.model.Webhook;
import dev.berth.model.api.EventList;
import dev.berth.server.webhooks.HookEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Gives webhooks the events of a ledger, and keeps there how far they are. */
final class EngineHooks implements HookEvents {
  private final ControlPlane control;
  private final Ledger ledger;
  private final Store store;

  EngineHooks(ControlPlane control, Ledger ledger, Store store) {
    this.control = control;
    this.ledger = ledger;
    this.store = store;
  }

  @Override
  public Webhook begin(String name) throws InterruptedException {
    decide(new Message.Hook.Begun(name, control.newestEvent()));
    return ledger
        .find(Ledger.MAIN_REALM, new EntityKey("webhook", name))
        .map(stored -> (Webhook) Codec.entity(stored.row()))
        .orElseThrow();
  }

  @Override
  public List<Webhook> kept() {
    return ledger
        .listAll(Ledger.MAIN_REALM, EntityQuery.all("webhook", EntityQuery.LARGEST_PAGE).active())
        .stream()
        .map(stored -> (Webhook) Codec.entity(stored.row()))
        .toList();
  }

  @Override
  public void keep(String name, long seq, long skipped) throws InterruptedException {
    decide(new Message.Hook.Sent(name, seq, skipped));
  }

  @Override
  public void forget(String name) throws InterruptedException {
    decide(new Message.Hook.Gone(name));
  }

  private void decide(Message message) throws InterruptedException {
    try {
      control.send(Envelope.of(message)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("how far a webhook is could not be kept", e.getCause());
    }
  }

  @Override
  public EventList after(long seq, int limit) {
    return store.events(null, seq, limit);
  }

  @Override
  public long trimmed() {
    return store.trimmedEvents();
  }

  @Override
  public void await(long seq, Duration atMost) throws InterruptedException {
    control.awaitEvents(seq, atMost);
  }
}
