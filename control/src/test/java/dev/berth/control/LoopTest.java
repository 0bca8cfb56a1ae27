package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.EventQuery;
import dev.berth.ledger.FencedException;
import dev.berth.model.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages in, one commit, replies and actions out. */
@ParameterizedClass
@EnumSource(Storage.class)
final class LoopTest {
  private final Storage storage;
  @TempDir Path folder;
  private LoopBench bench;

  LoopTest(Storage storage) {
    this.storage = storage;
  }

  @BeforeEach
  void open() {
    bench = new LoopBench(storage, folder);
    bench.settle(Samples.machine(32));
    bench.ledger.commits.clear();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aBatchOfMessagesIsOneCommit() {
    List<Envelope> envelopes =
        IntStream.range(0, 20)
            .mapToObj(i -> bench.deliver(Samples.submit("r" + i, "run-" + i)))
            .toList();
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.ledger.commits).hasSize(1);
    assertThat(envelopes).allMatch(one -> one.reply().join() instanceof Reply.Accepted);
    assertThat(bench.handedOver).hasSize(20);
    assertThat(bench.run("r7").status()).isEqualTo(RunStatus.PROVISIONING);
  }

  @Test
  void aLongLineIsDecidedInBatches() {
    IntStream.range(0, 2 * ControlLoop.BATCH + 1)
        .forEach(i -> bench.deliver(Samples.stop("nobody-" + i)));
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.loop.step()).isFalse();
  }

  @Test
  void withoutChangesNothingIsCommitted() {
    assertThat(bench.loop.step()).isFalse();
    assertThat(bench.settle(Samples.stop("nobody"))).isInstanceOf(Reply.Refused.class);
    assertThat(bench.settle(Samples.machine(32))).isInstanceOf(Reply.None.class);
    assertThat(bench.ledger.commits).isEmpty();
  }

  @Test
  void aMessageThatCannotBeDecidedIsSetAsideAndTheBatchGoesOn() {
    bench.running("r1");
    bench.ledger.commits.clear();
    Envelope before = bench.deliver(Samples.submit("r2", "before"));
    Envelope poison = bench.deliver(Samples.poison("r1"));
    Envelope after = bench.deliver(Samples.submit("r3", "after"));
    bench.loop.step();

    assertThat(bench.ledger.commits).hasSize(1);
    assertThat(before.reply().join()).isEqualTo(new Reply.Accepted("r2", "before"));
    assertThat(after.reply().join()).isEqualTo(new Reply.Accepted("r3", "after"));
    assertThatThrownBy(poison.reply()::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void repliesAndActionsComeOnlyAfterTheCommit() {
    Envelope submitted = bench.deliver(Samples.submit("r1", "hello"));
    Envelope again = bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    List<Object> seen = new ArrayList<>();
    bench.ledger.beforeCommit =
        () -> {
          seen.add(submitted.reply().isDone());
          seen.add(again.reply().isDone());
          seen.addAll(bench.handedOver);
        };
    bench.loop.step();
    assertThat(seen).containsExactly(false, false);
    assertThat(submitted.reply()).isDone();
    assertThat(again.reply()).isDone();
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-start");
  }

  @Test
  void aFullMailboxRefusesCommandsAndStillTakesReports() {
    bench.settle(Samples.submit("r1", "hello"));
    for (int i = 0; i < ControlLoop.MAILBOX; i++) {
      assertThat(bench.loop.deliver(Envelope.of(Samples.stop("nobody")))).isTrue();
    }
    assertThat(bench.loop.deliver(Envelope.of(Samples.stop("nobody")))).isFalse();
    bench.loop.report(new Message.Observed("r1-0-0-1", Samples.exited(0, bench.clock.instant())));
    while (bench.loop.step()) {
      // Until the line is empty.
    }
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.DONE);
    assertThat(bench.loop.deliver(Envelope.of(Samples.stop("nobody")))).isTrue();
  }

  @Test
  void aTransientFailureIsTriedAgainWhenItIsDue() {
    bench.settle(Samples.submit("r1", "hello"));
    assertThat(bench.loop.next()).isEmpty();
    bench.failed("r1", "start");
    bench.handedOver.clear();
    assertThat(bench.loop.step()).as("not due yet").isFalse();

    bench.clock.set(bench.loop.next().orElseThrow());
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-start");
    assertThat(bench.handedOver.getFirst().attempts()).isEqualTo(2);
    assertThat(bench.loop.next()).isEmpty();
    assertThat(bench.loop.step()).isFalse();
  }

  @Test
  void aStopThatIsOverdueWakesTheLoop() {
    bench.running("r1");
    bench.settle(Samples.stop("r1"));
    bench.worked("r1", "stop");
    bench.handedOver.clear();
    bench.clock.pass(Samples.GRACE.plus(Duration.ofSeconds(30)));
    assertThat(bench.loop.next()).contains(bench.clock.instant());
    assertThat(bench.loop.step()).isTrue();
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-kill-1");
    assertThat(bench.loop.step()).isFalse();
  }

  @Test
  void whatIsDueIsNotWaitedFor() throws InterruptedException {
    bench.settle(Samples.submit("r1", "hello"));
    bench.failed("r1", "start");
    bench.clock.set(bench.loop.next().orElseThrow());
    assertThat(bench.loop.awaitWork(Duration.ofDays(1))).isFalse();
    assertThat(bench.loop.step()).isTrue();
    bench.deliver(Samples.stop("nobody"));
    assertThat(bench.loop.awaitWork(Duration.ofDays(1))).isTrue();
    assertThat(bench.loop.step()).as("what was waited for is decided").isTrue();
  }

  @Test
  void followersLearnTheNewestEvent() {
    bench.settle(Samples.submit("r1", "hello"));
    long newest = bench.ledger.findRealm(LoopBench.REALM).orElseThrow().seq();
    assertThat(bench.committedSeqs).last().isEqualTo(newest);
    assertThat(bench.ledger.events(LoopBench.REALM, EventQuery.after(0, 100)).events())
        .hasSize((int) newest);
  }

  @Test
  void aLoopThatWasTakenOverStopsAndWritesNothing() {
    bench.running("r1");
    bench.handedOver.clear();
    bench.ledger.inner().takeOver(LoopBench.REALM, "another server");
    long before = bench.ledger.findRealm(LoopBench.REALM).orElseThrow().seq();
    Envelope submitted = bench.deliver(Samples.submit("r2", "late"));

    assertThatThrownBy(bench.loop::step).isInstanceOf(FencedException.class);
    assertThat(submitted.reply()).isCompletedExceptionally();
    assertThat(bench.handedOver).isEmpty();
    assertThat(bench.ledger.findRealm(LoopBench.REALM).orElseThrow().seq()).isEqualTo(before);
    assertThat(bench.ledger.findActiveByName(LoopBench.REALM, "run", Samples.PROJECT, "late"))
        .isEmpty();
  }
}
