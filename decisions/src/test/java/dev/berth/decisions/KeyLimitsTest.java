package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Fleet;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keys stay within what the contract promises to authors of backends, who put them into names. Ids
 * of runs and fleets have 20 letters, see {@code MarkLimitsTest}.
 */
class KeyLimitsTest {
  private static final String KEY = "[a-z][a-z0-9-]{0,47}";
  private static final String RUN = "r" + "0".repeat(19);

  /** Far more than there are: one execution a minute for 19 years, 100,000 tries of one job. */
  private static final int EXECUTIONS = 9_999_999;

  private static final int REPLICAS = 99_999;
  private static final int NODES = 9_999;
  private static final int TRIES = 99_999;

  @Test
  void theLongestKeysStayWithinTheLimit() {
    String execution = Run.executionId(RUN, EXECUTIONS);
    Attempt last = attempt(execution + "-" + REPLICAS + "-" + NODES, TRIES);
    assertThat(Run.executionOf(last.id())).as("of the form that ids have").isEqualTo(execution);
    assertThat(
            Stream.of(
                last.id(),
                InstanceLife.idFor(last),
                Fleet.temporaryId(RUN) + "-" + EXECUTIONS,
                Fleet.temporaryId(RUN) + "-g" + EXECUTIONS))
        .allSatisfy(key -> assertThat(key).matches(KEY));
  }

  @Test
  void usualKeysHaveTheirLettersAndAreShort() {
    Scenario scenario = Scenario.with();
    scenario.market = Offers.market(Offers.machine("small", 1));
    scenario.submit("bought");
    assertThat(scenario.memory.active(Attempt.class)).isNotEmpty();
    assertThat(scenario.memory.active(Resource.class)).isNotEmpty();
    assertThat(
            Stream.concat(
                scenario.memory.active(Attempt.class).stream().map(Attempt::id),
                scenario.memory.active(Resource.class).stream().map(Resource::id)))
        .allSatisfy(key -> assertThat(key).matches(KEY));
  }

  private static Attempt attempt(String jobId, int number) {
    Job job =
        new Job(
            jobId,
            Scenario.PROJECT,
            RUN,
            REPLICAS,
            NODES,
            List.of(),
            false,
            List.of(),
            List.of(),
            TaskBuilder.task().spec().first().spec(),
            JobStatus.SUBMITTED,
            null);
    return Attempt.of(job, number, "p", Scenario.BEGIN);
  }
}
