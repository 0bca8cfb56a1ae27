package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Reply;
import dev.berth.ledger.EntityQuery;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The same request with the same key takes effect once. */
@ParameterizedClass
@EnumSource(Storage.class)
final class IdempotencyTest {
  private final Storage storage;
  @TempDir Path folder;
  private LoopBench bench;

  IdempotencyTest(Storage storage) {
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
  void withinABatch() {
    Envelope first = bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    Envelope second = bench.deliver(Samples.submit("r2", "hello"), "key", "hash");
    Envelope other = bench.deliver(Samples.submit("r3", "other"), "key", "other hash");
    bench.loop.step();
    assertThat(first.reply().join()).isEqualTo(new Reply.Accepted("r1", "hello"));
    assertThat(second.reply().join()).isEqualTo(first.reply().join());
    assertReused(other);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void aReplyThatCannotBeKeptLeavesNothingOfItsRequest() {
    Envelope refused = bench.deliver(Samples.submit("r1", "hello"), "key", "not\na hash");
    bench.loop.step();
    assertThat(refused.reply()).isCompletedExceptionally();
    assertThat(runs()).isZero();
    assertThat(bench.handedOver).isEmpty();
  }

  @Test
  void acrossBatches() {
    bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    bench.loop.step();
    Envelope second = bench.deliver(Samples.submit("r2", "hello"), "key", "hash");
    Envelope other = bench.deliver(Samples.submit("r3", "other"), "key", "other hash");
    bench.loop.step();
    assertThat(second.reply().join()).isEqualTo(new Reply.Accepted("r1", "hello"));
    assertReused(other);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void acrossARestartAndAfterTheEndOfTheRun() {
    bench.deliver(Samples.submit("r1", "hello"), "key", "hash");
    bench.loop.step();
    bench.observe("r1", Samples.exited(0, bench.clock.instant()));
    bench.restart();
    Envelope second = bench.deliver(Samples.submit("r2", "hello"), "key", "hash");
    Envelope other = bench.deliver(Samples.submit("r3", "other"), "key", "other hash");
    bench.loop.step();
    assertThat(second.reply().join()).isEqualTo(new Reply.Accepted("r1", "hello"));
    assertReused(other);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void aRefusalIsRepeatedToo() {
    Envelope first = bench.deliver(Samples.stop("hello"), "key", "hash");
    bench.loop.step();
    bench.settle(Samples.submit("r1", "hello"));
    Envelope second = bench.deliver(Samples.stop("hello"), "key", "hash");
    bench.loop.step();
    assertThat(first.reply().join()).isInstanceOf(Reply.Refused.class);
    assertThat(second.reply().join()).isEqualTo(first.reply().join());
    assertThat(bench.run("r1").reason()).isNull();
  }

  @Test
  void aRequestThatCouldNotBeDecidedMayBeRepeated() {
    bench.running("r1");
    bench.deliver(Samples.poison("r1"), "key", "hash");
    Envelope second = bench.deliver(Samples.submit("r2", "poison"), "key", "hash");
    bench.loop.step();
    assertThat(second.reply().join()).isEqualTo(new Reply.Accepted("r2", "poison"));
  }

  @Test
  void otherKeysAreOtherRequests() {
    Envelope first = bench.deliver(Samples.submit("r1", "one"), "key-1", "hash");
    Envelope second = bench.deliver(Samples.submit("r2", "two"), "key-2", "hash");
    bench.loop.step();
    assertThat(first.reply().join()).isNotEqualTo(second.reply().join());
    assertThat(runs()).isEqualTo(2);
  }

  private static void assertReused(Envelope envelope) {
    assertThat(envelope.reply().join())
        .isEqualTo(
            new Reply.Refused(
                Reply.Code.KEY_REUSED,
                "the idempotency key was already used for another request; choose a new one"));
  }

  private int runs() {
    return bench.ledger.list(LoopBench.REALM, EntityQuery.all("run", 100)).items().size();
  }
}
