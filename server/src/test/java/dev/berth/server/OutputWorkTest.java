package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(work.awaitPlace(2, "quick", LONG)).isTrue();
    assertThat(work.awaitPlace(2, "another", LONG)).isTrue();
    assertThat(work.awaitPlace(2, "silent", Duration.ZERO)).isFalse();
    assertThat(work.doneUpTo()).isZero();
    gate.countDown();
    assertThat(work.awaitPlace(2, "silent", LONG)).isTrue();
    assertThat(work.doneUpTo()).isEqualTo(2);
  }

  @Test
  void aMachineWaitsUntilTheEventsOfItsJobsWereLookedAt() throws InterruptedException {
    assertThat(work.awaitPlace(7, "machine", Duration.ZERO)).isFalse();
    work.moveTo(7);
    assertThat(work.awaitPlace(7, "machine", LONG)).isTrue();
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
    assertThat(work.awaitPlace(1, "machine", LONG)).isTrue();
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
    assertThat(work.awaitPlace(2, "deletion", LONG)).isTrue();
    assertThat(order).containsExactly("copied", "deleted");
  }

  @Test
  void nobodyWaitsAndNothingIsGivenBackWhereAllEnds() throws Exception {
    work.begin(new OutputWork.Item(1, "run", "silent"), gate::await);
    work.moveTo(1);
    CompletableFuture<Boolean> forCopies = waiting(1);
    CompletableFuture<Boolean> forEvents = waiting(9);
    work.close();
    assertThatThrownBy(forCopies::get).hasRootCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(forEvents::get).hasRootCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> work.awaitPlace(1, "silent", LONG))
        .isInstanceOf(InterruptedException.class);
  }

  private CompletableFuture<Boolean> waiting(long seq) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return work.awaitPlace(seq, "silent", LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
