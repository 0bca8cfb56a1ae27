package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.grammar.Kind;
import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.Run;
import dev.berth.model.RunStatus;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.Planner;
import dev.berth.planning.Planners;
import dev.berth.planning.policy.PolicyEnforcement;
import dev.berth.planning.policy.PolicySubject;
import dev.berth.planning.task.TaskPlanner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A kind of run that only its planner knows is planned, judged, placed, explained and carried out.
 */
final class NewRunKindTest {
  private static final String FILE =
      """
      type: dev-environment
      ide: vscode
      init: [echo ready]
      env: [COLOUR=blue]
      resources: {cpu: 2.., memory: 1GB.., disk: null}
      """;

  private static final PolicyRule AT_MOST_AN_HOUR =
      new PolicyRule(
          "short",
          List.of(),
          List.of(),
          null,
          null,
          new PolicyRule.Limit(null, Duration.ofHours(1), null, null),
          null,
          null,
          false);

  private static Configuration written() {
    return ConfigurationReader.read(FILE.getBytes(StandardCharsets.UTF_8), Defaults.AS_WRITTEN)
        .configuration()
        .orElseThrow();
  }

  /** As a server does it, for whatever kind the file is of. */
  private static <C extends RunConfiguration> RunSpec spec(Planner<C> planner) {
    C written = planner.configuration().cast(written());
    PolicyEnforcement.Verdict<PolicySubject> verdict =
        PolicyEnforcement.judge(
            List.of(AT_MOST_AN_HOUR),
            new PolicyEnforcement.Scope(Scenario.PROJECT, "ann", Map.of()),
            planner.subject(written));
    assertThat(verdict.refusals()).isEmpty();
    C judged = planner.with(written, verdict.configuration());
    assertThat(judged.profile().maxDuration()).isEqualTo(TimeLimit.of(Duration.ofHours(1)));
    C filled =
        planner
            .configuration()
            .cast(
                ConfigurationReader.readNormalised(
                    Kind.of(planner.type()).orElseThrow(),
                    ConfigurationReader.normalise(judged),
                    Defaults.FILLED));
    return planner
        .plan(
            new PlanRequest<>(
                Scenario.PROJECT, judged, filled, verdict.bounds(), ContainerImages.USUAL))
        .spec();
  }

  private static RunSpec environment() {
    return spec(Planners.installed().find("dev-environment").orElseThrow());
  }

  @Test
  void aRegisteredPlannerIsFoundBesidesThatOfTasks() {
    Planners planners = Planners.installed();
    assertThat(planners.find("dev-environment")).containsInstanceOf(EnvironmentPlanner.class);
    assertThat(planners.find("task")).containsInstanceOf(TaskPlanner.class);
    assertThat(planners.find("service")).isEmpty();
    assertThat(planners.words()).isEqualTo("dev-environments and tasks");
    assertThatThrownBy(() -> new Planners(List.of(new TaskPlanner(), new TaskPlanner())))
        .hasMessageContaining("runs of type 'task' have two planners");
  }

  @Test
  void itsRunsArePlacedStartedAndEnded() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    scenario.tell(
        new Message.Submit(
            "r1",
            Scenario.PROJECT,
            "ann",
            "desk",
            Map.of("type", "dev-environment"),
            environment()));
    JobRequest request = scenario.action("r1", Action.Type.START_JOB).job().orElseThrow();
    assertThat(request.spec().commands()).containsExactly("echo ready", "exec tail -f /dev/null");
    assertThat(request.spec().maxDuration()).isEqualTo(Duration.ofHours(1));
    assertThat(request.spec().environment())
        .containsEntry("COLOUR", "blue")
        .containsEntry("BERTH_RUN_NAME", "desk")
        .containsEntry("DSTACK_JOB_ID", "r1-0-0");
    assertThat(request.spec().requirements().cpus()).isEqualTo(2);
    scenario.startWorked("r1");
    scenario.observe("r1", new JobObservation.Running(scenario.now()));
    assertThat(scenario.run("r1")).returns("dev-environment", Run::type);
    assertThat(scenario.run("r1").status()).isEqualTo(RunStatus.RUNNING);
    scenario.observe("r1", scenario.exited(0));
    assertThat(scenario.run("r1").status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void whatKeepsItsRunsFromAPlaceIsExplained() {
    Scenario scenario = Scenario.with();
    scenario.market = Offers.market(Offers.spotMachine("interruptible", 1));
    Explanation explanation =
        Explanation.of(
            scenario.memory,
            scenario.market,
            new Explanation.Question(Scenario.PROJECT, environment(), null),
            scenario.now());
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.UNPLACEABLE);
    assertThat(explanation.rules())
        .singleElement()
        .returns("spot_policy", Explanation.Rule::name)
        .returns("on-demand", Explanation.Rule::sentence);
  }
}
