package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.Commit;
import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.ConstraintException;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.Tenure;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Run;
import dev.berth.model.RunPolicy;
import dev.berth.model.RunStatus;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits of which nobody knows whether they were kept, and commits that were refused. */
@ParameterizedClass
@EnumSource(Storage.class)
final class FailedCommitTest {
  private final Storage storage;
  @TempDir Path folder;
  private LoopBench bench;

  FailedCommitTest(Storage storage) {
    this.storage = storage;
  }

  @BeforeEach
  void open() {
    bench = new LoopBench(storage, folder);
    bench.settle(Samples.machine(32));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aCommitThatWasKeptAfterAllIsFoundAndNotDecidedTwice() {
    long epoch = realm().epoch();
    bench.ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_KEPT;
    Envelope first = bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    bench.loop.step();
    assertThatThrownBy(first.reply()::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(CommitUnknownException.class);
    assertThat(realm().epoch()).isEqualTo(epoch + 1);
    assertThat(bench.reloads).isEqualTo(1);
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-start");

    Envelope again = bench.deliver(Samples.submit("r2", "hello"), "key", "hash");
    bench.loop.step();
    assertThat(again.reply().join()).isEqualTo(new Reply.Accepted("r1", "hello"));
    assertThat(runs()).isEqualTo(1);
    assertThat(bench.events()).containsOnlyOnce("run.submitted r1", "attempt.placed r1-0-0-1");
  }

  @Test
  void aCommitThatWasLostLeavesNothingAndMayBeRepeated() {
    bench.ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    Envelope first = bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    bench.loop.step();
    assertThat(first.reply()).isCompletedExceptionally();
    assertThat(bench.handedOver).isEmpty();
    assertThat(runs()).isZero();

    Envelope again = bench.deliver(Samples.submit("r2", "hello"), "key", "hash");
    bench.loop.step();
    assertThat(again.reply().join()).isEqualTo(new Reply.Accepted("r2", "hello"));
  }

  @Test
  void aReportThatWasLostIsAskedForAgain() {
    for (WatchedLedger.Fate fate :
        new WatchedLedger.Fate[] {WatchedLedger.Fate.UNKNOWN_LOST, WatchedLedger.Fate.REFUSED}) {
      String run = "r-" + fate;
      bench.settle(Samples.submit(run, run));
      bench.handedOver.clear();
      int reloads = bench.reloads;
      bench.ledger.nextCommit = fate;
      bench.deliver(
          new Message.ActionReported(
              Samples.attemptId(run) + "-start", new ActionOutcome.Done(bench.clock.instant())));
      bench.loop.step();
      assertThat(bench.handedOverIds()).containsExactly(Samples.attemptId(run) + "-start");
      assertThat(bench.reloads).as("watches tell everything once more").isEqualTo(reloads + 1);
      bench.worked(run, "start");
      bench.observe(run, Samples.exited(0, bench.clock.instant()));
      assertThat(bench.run(run).status()).isEqualTo(RunStatus.DONE);
    }
  }

  @Test
  void anEndThatWasKeptIsNotDecidedTwice() {
    bench.running("r1");
    bench.ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_KEPT;
    Envelope end =
        bench.deliver(new Message.Observed("r1-0-0-1", Samples.exited(0, bench.clock.instant())));
    bench.loop.step();
    assertThat(end.reply()).isCompletedExceptionally();
    bench.observe("r1", Samples.exited(0, bench.clock.instant()));
    assertThat(bench.events()).containsOnlyOnce("run.ended r1");
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aMessageThatTheLedgerRefusesIsSetAsideAndTheOthersTakeEffect() {
    writeBehindTheLoopsBack("taken");
    Envelope before = bench.deliver(Samples.submit("r1", "before"));
    Envelope refused = bench.deliver(Samples.submit("r2", "taken"));
    Envelope after = bench.deliver(Samples.submit("r3", "after"));
    bench.loop.step();
    assertThat(before.reply().join()).isEqualTo(new Reply.Accepted("r1", "before"));
    assertThat(after.reply().join()).isEqualTo(new Reply.Accepted("r3", "after"));
    assertThatThrownBy(refused.reply()::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ConstraintException.class);
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-start", "r3-0-0-1-start");
    assertThat(bench.events()).containsOnlyOnce("run.submitted r1", "run.submitted r3");
  }

  /** Something that no program of ours does, so that the ledger refuses what the loop decides. */
  private void writeBehindTheLoopsBack(String name) {
    RealmStatus realm = realm();
    Run run =
        new Run(
            "r0",
            Samples.PROJECT,
            "ann",
            name,
            "task",
            Map.of(),
            RunPolicy.USUAL,
            RunStatus.RUNNING,
            null,
            null,
            null,
            null,
            null,
            0,
            bench.clock.instant(),
            null,
            1,
            null,
            null,
            null);
    bench
        .ledger
        .inner()
        .commit(
            new Tenure(realm.realm(), realm.owner(), realm.epoch(), realm.seq()),
            Commit.builder().put(Codec.row(run, null)).build());
  }

  private RealmStatus realm() {
    return bench.ledger.findRealm(LoopBench.REALM).orElseThrow();
  }

  private int runs() {
    return bench.ledger.list(LoopBench.REALM, EntityQuery.all("run", 100)).items().size();
  }
}
