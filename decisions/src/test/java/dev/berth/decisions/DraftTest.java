package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import org.junit.jupiter.api.Test;

/** A draft shows what was before with its own changes on top. */
final class DraftTest {
  private final Scenario scenario = Scenario.with(Machines.large("m1"));

  @Test
  void changesAreSeenAboveAndNotBelow() {
    String run = scenario.running("hello");
    Draft lower = new Draft(scenario.memory);
    Draft upper = new Draft(lower);
    upper.put(scenario.run(run).ending(RunReason.STOPPED_BY_USER));
    assertThat(upper.find(Run.class, run).orElseThrow().status()).isEqualTo(RunStatus.TERMINATING);
    assertThat(lower.find(Run.class, run).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);
    lower.absorb(upper);
    assertThat(lower.find(Run.class, run).orElseThrow().status()).isEqualTo(RunStatus.TERMINATING);
  }

  @Test
  void whatHasEndedIsNeitherActiveNorAChildNorHoldsItsName() {
    String run = scenario.running("hello");
    Draft draft = new Draft(scenario.memory);
    assertThat(draft.activeRun(Scenario.PROJECT, "hello")).isPresent();
    Decisions.decide(
        draft, new Message.Observed(Scenario.attemptId(run), scenario.exited(0)), scenario.now());
    assertThat(draft.active(Run.class)).isEmpty();
    assertThat(draft.children(Job.class, run)).isEmpty();
    assertThat(draft.activeRun(Scenario.PROJECT, "hello")).isEmpty();
    assertThat(draft.find(Run.class, run)).get().matches(ended -> !ended.active());
  }

  @Test
  void replacingKeepsTheOrderOfArrival() {
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    Draft draft = new Draft(scenario.memory);
    draft.put(scenario.placement(first).in(Placement.State.READY));
    draft.put(scenario.submissionOf("third"));
    assertThat(draft.active(Placement.class))
        .extracting(Placement::runId)
        .containsExactly(first, second, "third");
  }

  @Test
  void aDeletionIsOfOneKindOnly() {
    String run = scenario.running("hello");
    Draft draft = new Draft(scenario.memory);
    draft.delete(scenario.attempt(run));
    assertThat(draft.active(Attempt.class)).isEmpty();
    assertThat(draft.active(Resource.class))
        .as("a resource has the id of its attempt")
        .containsExactly(scenario.resource(run));
  }
}
