package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting runs, and the names that their ends set free. */
final class DeleteTest {
  private final Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));

  @Test
  void aFinishedRunGoesWithAllThatBelongedToIt() {
    String run = finished("hello");
    assertThat(scenario.delete(run)).isEqualTo(new Reply.Accepted(run, "hello"));

    assertThat(scenario.memory.all(Run.class)).isEmpty();
    assertThat(scenario.memory.all(Job.class)).isEmpty();
    assertThat(scenario.memory.all(Attempt.class)).isEmpty();
    assertThat(scenario.memory.all(Placement.class)).isEmpty();
    assertThat(scenario.memory.all(Resource.class)).isEmpty();
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.REMOVE_JOB);
    assertThat(scenario.eventsOf(run)).last().isEqualTo("run.deleted");
  }

  @Test
  void aRemovalIsRepeatedUntilItWorks() {
    String run = finished("hello");
    scenario.delete(run);
    for (int i = 0; i < 20; i++) {
      scenario.failed(run, Action.Type.REMOVE_JOB, "a file is in use", false);
      scenario.later(Duration.ofMinutes(10));
      scenario.tellWhatIsDue();
      assertThat(scenario.inFlight(run)).containsExactly(Action.Type.REMOVE_JOB);
    }
    scenario.worked(run, Action.Type.REMOVE_JOB);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void aRunThatNeverHadAPlaceLeavesNothingToRemove() {
    scenario.running("first");
    String waiting = scenario.submit("second");
    scenario.stop("second");
    scenario.delete(waiting);
    assertThat(scenario.actions(waiting)).isEmpty();
    assertThat(scenario.memory.stored(Run.class, waiting)).isEmpty();
  }

  @Test
  void aRunThatHasNotEndedStays() {
    String run = scenario.running("hello");
    assertThat(scenario.delete(run))
        .isEqualTo(
            new Reply.Refused(
                Reply.Code.NOT_FINISHED, "the run 'hello' has not ended; stop it first"));
    assertThat(scenario.run(run).active()).isTrue();
    scenario.stop("hello");
    assertThat(scenario.delete(run)).isInstanceOf(Reply.Refused.class);
  }

  @Test
  void aRemovalWaitsForTheCallThatIsStillUnderWay() {
    String run = scenario.submit("hello");
    scenario.observe(run, scenario.exited(0));
    scenario.delete(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    scenario.startWorked(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.REMOVE_JOB);
    scenario.worked(run, Action.Type.REMOVE_JOB);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void aStartOfADeletedRunThatFailsIsNotRepeated() {
    String run = scenario.submit("hello");
    scenario.observe(run, scenario.exited(0));
    scenario.delete(run);
    scenario.failed(run, Action.Type.START_JOB, "the answer was lost", true);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.REMOVE_JOB);
  }

  @Test
  void aRemovalFollowsAKillThatFailedAfterTheEnd() {
    String run = scenario.running("hello");
    scenario.abort("hello");
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.KILLED));
    scenario.delete(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.failed(run, Action.Type.KILL_JOB, "the machine is busy", true);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.REMOVE_JOB);
  }

  @Test
  void whatIsSaidLateAboutADeletedRunChangesNothing() {
    String run = finished("hello");
    scenario.delete(run);
    int events = scenario.events.size();
    scenario.observe(run, new JobObservation.Running(scenario.now()));
    scenario.observe(run, scenario.exited(1));
    scenario.tell(new Message.Due(Entity.Kind.RESOURCE, Scenario.attemptId(run)));
    assertThat(scenario.events).hasSize(events);
    assertThat(scenario.memory.all(Run.class)).isEmpty();
  }

  @Test
  void aNameIsTakenWhileItsRunIsActiveAndFreeAfterwards() {
    String first = scenario.submit("hello");
    assertThat(scenario.tell(scenario.submission("hello", TaskBuilder.task())))
        .isEqualTo(
            new Reply.Refused(
                Reply.Code.NAME_TAKEN,
                "the run 'hello' is active; follow it with: berth attach hello, stop it first, or"
                    + " choose another name"));
    assertThat(scenario.memory.all(Run.class)).hasSize(1);

    scenario.observe(first, scenario.exited(0));
    String second = scenario.submit("hello");
    assertThat(scenario.run(second).active()).isTrue();
    assertThat(scenario.run(first).active()).isFalse();
    assertThat(scenario.delete(first)).isInstanceOf(Reply.Accepted.class);
    assertThat(scenario.run(second).active()).isTrue();
  }

  @Test
  void aNameIsTakenWithinABatchAndBelongsToItsProject() {
    Message.Submit first = scenario.submission("hello", TaskBuilder.task());
    Message.Submit second = scenario.submission("hello", TaskBuilder.task());
    assertThat(scenario.tell(first, second)).isInstanceOf(Reply.Refused.class);
    Message.Submit elsewhere =
        new Message.Submit("r9", "other", "ann", "hello", second.written(), second.spec());
    assertThat(scenario.tell(elsewhere)).isEqualTo(new Reply.Accepted("r9", "hello"));
  }

  private String finished(String name) {
    String run = scenario.running(name);
    scenario.observe(run, scenario.exited(0));
    return run;
  }
}
