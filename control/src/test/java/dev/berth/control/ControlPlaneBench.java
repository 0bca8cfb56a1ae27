package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.Run;
import dev.berth.spi.Compute;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** An engine with all its threads, on a machine that outlives it. */
final class ControlPlaneBench implements AutoCloseable {
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  final FakeRuntime runtime = new FakeRuntime();
  final SettableClock clock = new SettableClock();
  final WatchedLedger ledger;
  ControlPlane engine;
  private final Storage storage;
  private final Path folder;

  ControlPlaneBench(Storage storage, Path folder) {
    this.storage = storage;
    this.folder = folder;
    ledger = new WatchedLedger(storage.open(folder));
    engine = newEngine(Map.of(Samples.BACKEND, runtime));
  }

  private ControlPlane newEngine(Map<String, Compute> backends) {
    return new ControlPlane(
        ledger,
        ledger.takeOver(Ledger.MAIN_REALM, "a test"),
        new Owner("tests"),
        backends,
        name -> name,
        clock,
        FailPoint.Observer.NONE);
  }

  /** Another server on what this one left. */
  void restart() {
    restart(Map.of(Samples.BACKEND, runtime));
  }

  /** The same, with other backends. */
  void restart(Map<String, Compute> backends) {
    engine.close();
    ledger.replace(storage.reopen(ledger.inner(), folder));
    engine = newEngine(backends);
    engine.start();
  }

  Reply send(Message message) throws InterruptedException, ExecutionException, TimeoutException {
    return engine.send(Envelope.of(message)).get(AT_MOST.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits for the events that bring a run where a test wants it. */
  Run awaitRun(String runId, Predicate<Run> wanted) throws InterruptedException {
    long seq = 0;
    while (true) {
      Run run = (Run) stored("run", runId);
      if (wanted.test(run)) {
        return run;
      }
      long newest = engine.awaitEvents(seq, AT_MOST);
      if (newest <= seq) {
        throw new AssertionError("nothing happens any more to " + run);
      }
      seq = newest;
    }
  }

  Run awaitEnd(String runId) throws InterruptedException {
    return awaitRun(runId, run -> !run.active());
  }

  /** Waits until the engine knows everything that the ledger does. */
  void awaitNewest() throws InterruptedException {
    long newest = ledger.findRealm(LoopBench.REALM).orElseThrow().seq();
    if (engine.awaitEvents(newest - 1, AT_MOST) < newest) {
      throw new AssertionError("the engine does not know event " + newest);
    }
  }

  Attempt attempt(String runId) {
    return (Attempt) stored("attempt", Samples.attemptId(runId));
  }

  private Object stored(String kind, String id) {
    return Codec.entity(ledger.find(LoopBench.REALM, new EntityKey(kind, id)).orElseThrow().row());
  }

  static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("berth-"))
        .toList();
  }

  @Override
  public void close() {
    engine.close();
    ledger.close();
  }
}
