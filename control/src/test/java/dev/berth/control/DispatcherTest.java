package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
  private final List<String> carriedOut = new ArrayList<>();
  private final Dispatcher dispatcher = new Dispatcher(action -> carriedOut.add(action.id()));

  @Test
  void actionsOfOneJobAreCarriedOutOneAfterTheOtherAndThoseOfOthersAtTheSameTime() {
    Action start = action("a1", Action.Type.START_JOB);
    Action kill = action("a1", Action.Type.KILL_JOB);
    dispatcher.accept(List.of(start, kill, action("a2", Action.Type.START_JOB)));
    assertThat(dispatcher.step()).isEqualTo(2);
    assertThat(carriedOut).containsExactlyInAnyOrder("a1-START_JOB", "a2-START_JOB");
    assertThat(dispatcher.step()).isZero();

    dispatcher.finished(start);
    assertThat(dispatcher.step()).isEqualTo(1);
    assertThat(carriedOut).last().isEqualTo("a1-KILL_JOB");
    dispatcher.finished(kill);
    assertThat(dispatcher.step()).isZero();
  }

  @Test
  void anActionThatIsHandedOverAgainWaitsForItself() {
    Action start = action("a1", Action.Type.START_JOB);
    dispatcher.accept(List.of(start));
    dispatcher.step();
    dispatcher.accept(List.of(start));
    assertThat(dispatcher.step()).isZero();
    dispatcher.finished(start);
    assertThat(dispatcher.step()).isEqualTo(1);
    assertThat(carriedOut).containsExactly("a1-START_JOB", "a1-START_JOB");
  }

  @Test
  void withoutActionsThereIsNothingToDo() {
    assertThat(dispatcher.step()).isZero();
    dispatcher.accept(List.of());
    assertThat(dispatcher.step()).isZero();
  }

  private static Action action(String attemptId, Action.Type type) {
    return new Action(
        attemptId + "-" + type,
        type,
        attemptId,
        Samples.BACKEND,
        Resource.Type.JOB,
        null,
        null,
        null,
        null,
        Action.State.IN_FLIGHT,
        1,
        null,
        Instant.EPOCH);
  }
}
