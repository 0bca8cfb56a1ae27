package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work on the output of jobs, some of whose machines do not answer. */
@Timeout(60)
class OutputWorkTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final OutputWork work = new OutputWork(Duration.ofMillis(1));
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() {
    gate.countDown();
    work.close();
  }

  @Test
  void aMachineThatDoesNotAnswerHoldsUpNobodyElse() throws InterruptedException {
    work.begin(new OutputWork.Item(1, "run-1", "silent"), gate::await);
    work.begin(new OutputWork.Item(2, "run-2", "quick"), () -> {});
    work.moveTo(2);
    assertThat(work.awaitMachine(2, "quick", LONG)).isTrue();
    assertThat(work.awaitMachine(2, "another", LONG)).isTrue();
    assertThat(work.awaitMachine(2, "silent", Duration.ZERO)).isFalse();
    assertThat(work.doneUpTo()).isZero();
    gate.countDown();
    assertThat(work.awaitMachine(2, "silent", LONG)).isTrue();
    assertThat(work.doneUpTo()).isEqualTo(2);
  }

  @Test
  void aMachineWaitsUntilTheEventsOfItsJobsWereLookedAt() throws InterruptedException {
    assertThat(work.awaitMachine(7, "machine", Duration.ZERO)).isFalse();
    work.moveTo(7);
    assertThat(work.awaitMachine(7, "machine", LONG)).isTrue();
  }

  @Test
  void whatFailsIsDoneAgain() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    work.begin(
        new OutputWork.Item(1, "run", "machine"),
        () -> {
          if (tries.incrementAndGet() < 3) {
            throw new IllegalStateException("the store is away");
          }
        });
    work.moveTo(1);
    assertThat(work.awaitMachine(1, "machine", LONG)).isTrue();
    assertThat(tries).hasValue(3);
  }

  @Test
  void outputThatIsBeingCopiedIsDeletedAfterIt() throws InterruptedException {
    List<String> order = new CopyOnWriteArrayList<>();
    work.begin(
        new OutputWork.Item(1, "run", "machine"),
        () -> {
          gate.await();
          order.add("copied");
        });
    work.begin(
        new OutputWork.Item(2, "run", "deletion"),
        () -> {
          work.awaitRun(2, "run");
          order.add("deleted");
        });
    work.moveTo(2);
    gate.countDown();
    assertThat(work.awaitMachine(2, "deletion", LONG)).isTrue();
    assertThat(order).containsExactly("copied", "deleted");
  }

  @Test
  void nobodyWaitsWhereAllEnds() throws Exception {
    work.begin(new OutputWork.Item(1, "run", "silent"), gate::await);
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return work.awaitMachine(9, "silent", LONG);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    work.close();
    assertThat(waiting.get()).isTrue();
  }
}
