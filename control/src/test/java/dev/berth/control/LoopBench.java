package dev.berth.control;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.View;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EventQuery;
import dev.berth.ledger.Stored;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.JobObservation;
import dev.berth.model.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A loop that is stepped by hand, on a ledger that can fail. */
final class LoopBench implements AutoCloseable, ControlLoop.Listener {
  static final String REALM = "main";

  final SettableClock clock = new SettableClock();
  final WatchedLedger ledger;
  final List<Action> handedOver = new ArrayList<>();
  final List<Long> committedSeqs = new ArrayList<>();
  int reloads;
  ControlLoop loop;
  private final Storage storage;
  private final Path folder;

  LoopBench(Storage storage, Path folder) {
    this.storage = storage;
    this.folder = folder;
    ledger = new WatchedLedger(storage.open(folder));
    loop = newLoop("first");
  }

  private ControlLoop newLoop(String owner) {
    return new ControlLoop(
        ledger,
        ledger.takeOver(REALM, owner),
        clock,
        FailPoint.Observer.NONE,
        this,
        Decisions.RULES,
        () -> OfferView.NONE);
  }

  /** Ends the server as a power cut does, and starts another one on what it left. */
  void restart() {
    ledger.replace(storage.reopen(ledger.inner(), folder));
    handedOver.clear();
    loop = newLoop("second");
  }

  Envelope deliver(Message message) {
    Envelope envelope = Envelope.of(message);
    loop.deliver(envelope);
    return envelope;
  }

  Envelope deliver(Message message, String key, String hash) {
    Envelope envelope =
        new Envelope(
            message, new CompletableFuture<>(), new Envelope.Idempotency("main/ann", key, hash));
    loop.deliver(envelope);
    return envelope;
  }

  /** Delivers one message and decides it. */
  Reply settle(Message message) {
    Envelope envelope = deliver(message);
    loop.step();
    return envelope.reply().join();
  }

  /** A run whose job was started. */
  void running(String runId) {
    settle(Samples.submit(runId, runId));
    worked(runId, "start");
  }

  void worked(String runId, String action) {
    settle(
        new Message.ActionReported(
            Samples.attemptId(runId) + "-" + action, new ActionOutcome.Done(clock.instant())));
  }

  void failed(String runId, String action) {
    settle(
        new Message.ActionReported(
            Samples.attemptId(runId) + "-" + action, new ActionOutcome.Failed("busy", true)));
  }

  void observe(String runId, JobObservation observation) {
    settle(new Message.Observed(Samples.attemptId(runId), observation));
  }

  Run run(String runId) {
    return (Run) stored("run", runId);
  }

  Attempt attempt(String runId) {
    return (Attempt) stored("attempt", Samples.attemptId(runId));
  }

  private Entity stored(String kind, String id) {
    return Codec.entity(ledger.find(REALM, new EntityKey(kind, id)).orElseThrow().row());
  }

  List<String> handedOverIds() {
    return handedOver.stream().map(Action::id).toList();
  }

  List<String> events() {
    return ledger.events(REALM, EventQuery.after(0, 1000)).events().stream()
        .map(Stored::row)
        .map(event -> event.kind() + " " + event.entity().id())
        .toList();
  }

  @Override
  public void handOver(Collection<Action> actions, boolean again) {
    handedOver.addAll(actions);
  }

  @Override
  public void committed(View view, int unfinishedActions, long seq) {
    committedSeqs.add(seq);
  }

  @Override
  public void reloaded() {
    reloads++;
  }

  @Override
  public void close() {
    ledger.close();
  }
}
