package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
  private final List<String> carriedOut = new ArrayList<>();
  private final SettableClock clock = new SettableClock();
  private final Dispatcher dispatcher =
      new Dispatcher(action -> carriedOut.add(action.id()), clock);

  @Test
  void actionsOfOneJobAreCarriedOutOneAfterTheOtherAndThoseOfOthersAtTheSameTime() {
    Action first = action("a1", new Operation.RemoveJob());
    Action kill = action("a1", new Operation.KillJob());
    dispatcher.accept(List.of(first, kill, action("a2", new Operation.RemoveJob())));
    assertThat(dispatcher.step()).isEqualTo(2);
    assertThat(carriedOut).containsExactlyInAnyOrder("a1-REMOVE_JOB", "a2-REMOVE_JOB");
    assertThat(dispatcher.step()).isZero();

    dispatcher.finished(first);
    assertThat(dispatcher.step()).isEqualTo(1);
    assertThat(carriedOut).last().isEqualTo("a1-KILL_JOB");
    dispatcher.finished(kill);
    assertThat(dispatcher.step()).isZero();
  }

  @Test
  void anActionThatIsHandedOverAgainWaitsForItself() {
    Action first = action("a1", new Operation.RemoveJob());
    dispatcher.accept(List.of(first));
    dispatcher.step();
    dispatcher.accept(List.of(first));
    assertThat(dispatcher.step()).isZero();
    dispatcher.finished(first);
    assertThat(dispatcher.step()).isEqualTo(1);
    assertThat(carriedOut).containsExactly("a1-REMOVE_JOB", "a1-REMOVE_JOB");
  }

  @Test
  void withoutActionsThereIsNothingToDo() {
    assertThat(dispatcher.step()).isZero();
    dispatcher.accept(List.of());
    assertThat(dispatcher.step()).isZero();
  }

  @Test
  void aCallThatDoesNotComeBackIsGivenUpAndItsLateAnswerIsNotHeard() {
    Action first = action("a1", new Operation.RemoveJob());
    Action again = action("a1", new Operation.RemoveJob());
    dispatcher.accept(List.of(first));
    dispatcher.step();
    assertThat(dispatcher.next(clock.instant()))
        .contains(clock.instant().plus(Dispatcher.PATIENCE));
    clock.pass(Dispatcher.PATIENCE.minusMillis(1));
    assertThat(dispatcher.giveUp()).isEmpty();
    clock.pass(Duration.ofMillis(1));
    assertThat(dispatcher.giveUp()).containsExactly(first);
    assertThat(dispatcher.giveUp()).as("once").isEmpty();
    assertThat(dispatcher.next(clock.instant())).isEmpty();

    dispatcher.finished(first);
    dispatcher.accept(List.of(again));
    assertThat(dispatcher.step()).isEqualTo(1);
    assertThat(dispatcher.answered(first)).as("the late answer").isFalse();
    assertThat(dispatcher.answered(again)).as("equal, and another call").isTrue();
  }

  @Test
  void aCallThatCameBackIsNotGivenUpWhileItsReportIsDecided() {
    Action first = action("a1", new Operation.RemoveJob());
    dispatcher.accept(List.of(first));
    dispatcher.step();
    assertThat(dispatcher.answered(first)).isTrue();
    clock.pass(Dispatcher.PATIENCE);
    assertThat(dispatcher.giveUp()).isEmpty();
  }

  @Test
  void noMoreCallsAreGivenUpThanMayBeOutstanding() {
    List<Action> calls =
        IntStream.range(0, Dispatcher.MOST_ABANDONED + 1)
            .mapToObj(number -> action("a" + number, new Operation.RemoveJob()))
            .toList();
    dispatcher.accept(calls);
    dispatcher.step();
    clock.pass(Dispatcher.PATIENCE);
    assertThat(dispatcher.giveUp()).hasSize(Dispatcher.MOST_ABANDONED);
    assertThat(dispatcher.next(clock.instant())).isEmpty();
    assertThat(dispatcher.answered(calls.getFirst())).isFalse();
    assertThat(dispatcher.giveUp()).containsExactly(calls.getLast());
  }

  private static Action action(String attemptId, Operation operation) {
    return new Action(
        attemptId + "-" + operation.type(),
        operation,
        attemptId,
        Samples.BACKEND,
        Action.State.IN_FLIGHT,
        1,
        null,
        Instant.EPOCH,
        null);
  }
}
