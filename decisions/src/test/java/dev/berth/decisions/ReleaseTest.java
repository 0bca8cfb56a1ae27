package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.JobObservation;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The place of a job that was rented for it alone is given back after its end, and not before. */
final class ReleaseTest {
  private final Scenario scenario = rented();

  private static Scenario rented() {
    Scenario scenario = Scenario.with();
    scenario.market = Offers.market(Offers.container("box", 1));
    return scenario;
  }

  private String running() {
    String run = scenario.submit("hello");
    scenario.startWorked(run);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    return run;
  }

  private Action release(String run) {
    Action release = scenario.flying(scenario.attempt(run).id());
    assertThat(release.operation()).isEqualTo(new Operation.ReleaseJob());
    return release;
  }

  private void assertNothingIsLeft() {
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void theRunIsDoneBeforeItsPlaceIsGivenBack() {
    String run = running();
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.LEAVING);
    scenario.report(release(run), new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }

  @Test
  void aReleaseThatFailsIsRepeatedForEverAndPeopleAreTold() {
    String run = running();
    scenario.observe(run, scenario.exited(0));
    for (int i = 0; i < 6; i++) {
      scenario.report(release(run), new ActionOutcome.Failed("no answer", i % 2 == 0));
      scenario.pass(Duration.ofMinutes(10));
    }
    assertThat(scenario.eventsOf(scenario.attempt(run).id()))
        .containsOnlyOnce("resource.does_not_go");
    scenario.report(release(run), new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }

  @Test
  void anEndThatIsSeenDuringAStopIsFollowedByTheRelease() {
    String run = running();
    scenario.stop("hello");
    Action stop = scenario.flying(scenario.attempt(run).id());
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.flying(scenario.attempt(run).id())).as("one at a time").isEqualTo(stop);
    scenario.report(stop, new ActionOutcome.Failed("no answer", true));
    scenario.report(release(run), new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }

  @Test
  void anEndThatIsSeenBeforeTheAnswerToTheStartIsFollowedByTheRelease() {
    String run = scenario.submit("hello");
    Action start = scenario.flying(scenario.attempt(run).id());
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    scenario.report(start, new ActionOutcome.Done(scenario.now()));
    scenario.report(release(run), new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }

  @Test
  void aJobThatItsProviderNoLongerKnowsIsReleasedAllTheSame() {
    String run = running();
    scenario.observe(run, new JobObservation.Absent());
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    scenario.report(release(run), new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }

  @Test
  void whatWasSoldOutIsNotGivenBack() {
    String run = scenario.submit("hello");
    String attempt = scenario.attempt(run).id();
    scenario.report(scenario.flying(attempt), ActionOutcome.Failed.soldOut("sold out"));
    assertThat(scenario.memory.stored(Resource.class, attempt).orElseThrow().phase())
        .isEqualTo(Resource.State.GONE);
  }

  @Test
  void aRunThatIsDeletedMeanwhileIsRemovedAfterItsRelease() {
    String run = running();
    Attempt attempt = scenario.attempt(run);
    scenario.observe(run, scenario.exited(0));
    Action release = release(run);
    scenario.delete(run);
    List<Action> held =
        scenario.memory.unfinishedActions().filter(action -> action.isHeld()).toList();
    assertThat(held).extracting(Action::operation).containsExactly(new Operation.RemoveJob());
    scenario.report(release, new ActionOutcome.Done(scenario.now()));
    Action removal = scenario.flying(attempt.id());
    assertThat(removal.operation()).isEqualTo(new Operation.RemoveJob());
    scenario.report(removal, new ActionOutcome.Done(scenario.now()));
    assertNothingIsLeft();
  }
}
