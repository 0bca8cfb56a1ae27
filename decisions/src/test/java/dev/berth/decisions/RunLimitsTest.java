package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Run;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many runs a user and a project may have at once. */
final class RunLimitsTest {
  private final Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));

  private Message.Submit submission(String project, String user, String name, RunLimits limits) {
    return new Message.Submit(
        "r-" + project + "-" + user + "-" + name,
        project,
        user,
        name,
        Map.of(),
        TaskBuilder.task().spec(),
        List.of(),
        List.of(),
        limits,
        null);
  }

  private Reply submit(String project, String user, String name, RunLimits limits) {
    return scenario.tell(submission(project, user, name, limits));
  }

  @Test
  void aUserHasRoomAgainWhenARunHasEnded() {
    RunLimits limits = new RunLimits(2, 100);
    assertThat(submit("main", "ann", "a", limits)).isInstanceOf(Reply.Accepted.class);
    assertThat(submit("lab", "ann", "b", limits)).isInstanceOf(Reply.Accepted.class);
    assertThat(submit("main", "ann", "c", limits))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(Reply.Code.TOO_MANY);
              assertThat(refused.message())
                  .contains("the user 'ann' has 2 active runs", "limits.runs-per-user");
            });
    assertThat(submit("main", "bob", "c", limits)).isInstanceOf(Reply.Accepted.class);
    scenario.tell(new Message.Stop("lab", "b", true, "ann"));
    assertThat(scenario.memory.stored(Run.class, "r-lab-ann-b").orElseThrow().active()).isFalse();
    assertThat(submit("main", "ann", "d", limits)).isInstanceOf(Reply.Accepted.class);
  }

  @Test
  void aProjectHasALimitOfItsOwn() {
    RunLimits limits = new RunLimits(100, 1);
    assertThat(submit("main", "ann", "a", limits)).isInstanceOf(Reply.Accepted.class);
    assertThat(submit("main", "bob", "b", limits))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused ->
                assertThat(refused.message())
                    .contains("the project 'main' has 1 active runs", "limits.runs-per-project"));
    assertThat(submit("lab", "bob", "b", limits)).isInstanceOf(Reply.Accepted.class);
  }

  /** Runs that were decided in the same batch, and are not committed yet, count. */
  @Test
  void draftsCountWhatTheyAdd() {
    RunLimits limits = new RunLimits(2, 2);
    Draft lower = new Draft(scenario.memory);
    RunLife.submit(lower, submission("main", "ann", "a", limits), Scenario.BEGIN);
    Draft upper = new Draft(lower);
    RunLife.submit(upper, submission("main", "ann", "b", limits), Scenario.BEGIN);
    assertThat(upper.activeRunsIn("main")).isEqualTo(2);
    assertThat(RunLife.submit(upper, submission("main", "ann", "c", limits), Scenario.BEGIN))
        .isInstanceOf(Reply.Refused.class);
    lower.absorb(upper);
    assertThat(lower.activeRunsOf("ann")).isEqualTo(2);
  }
}
