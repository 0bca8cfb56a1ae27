package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.PolicyBound;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.PolicyRule;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.fleet.FleetPlanner;
import dev.berth.planning.policy.PolicyEnforcement;
import dev.berth.planning.policy.PolicySubject;
import dev.berth.planning.task.TaskPlanner;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What policies say is kept to where places are chosen and explained. */
class PolicyPlacementTest {
  private static final PolicyEnforcement.Scope SCOPE =
      new PolicyEnforcement.Scope("main", "ann", Map.of("rented", "cloud", "local", "local"));

  private static final PolicyRule NOT_IN_THE_US =
      rule(
          new PolicyRule.Deny(
              List.of(), List.of("us-*"), List.of(), List.of(), false, false, false, false),
          null);

  private static PolicyRule limit(
      @Nullable Double price,
      @Nullable Duration duration,
      @Nullable Integer nodes,
      @Nullable Integer gpus) {
    return rule(null, new PolicyRule.Limit(price, duration, nodes, gpus));
  }

  private static PolicyRule rule(PolicyRule.@Nullable Deny deny, PolicyRule.@Nullable Limit limit) {
    return new PolicyRule("x", List.of(), List.of(), null, deny, limit, null, null, false);
  }

  @Test
  void fleetsAreHeldToTheSameRules() {
    FleetConfiguration fleet =
        Offers.configuration(new FleetNodes(1, 1, null), Blocks.WHOLE, null, null);
    PolicyEnforcement.Verdict<FleetConfiguration> limited =
        PolicyEnforcement.judge(
            List.of(limit(2.0, Duration.ofHours(1), 3, 0), NOT_IN_THE_US), SCOPE, fleet);
    assertThat(limited.refusals()).isEmpty();
    assertThat(limited.configuration().nodes()).isEqualTo(new FleetNodes(1, 1, 3));
    assertThat(limited.configuration().maxPrice()).isEqualTo(2);
    OfferView market =
        Offers.market(
            Offers.machine("dear", 3),
            Offers.machine("far", 1, "us-1"),
            Offers.gpuMachine("strong", 1, 1),
            Offers.machine("fine", 1));
    assertThat(FleetOffers.of(market, FleetPlanner.spec(fleet, null, limited.bounds())))
        .extracting(candidate -> candidate.item().instanceType())
        .containsExactly("fine");
    assertThat(
            PolicyEnforcement.judge(
                    List.of(limit(null, null, 3, null)),
                    SCOPE,
                    Offers.configuration(new FleetNodes(0, 4, null), Blocks.WHOLE, null, null))
                .refusals())
        .extracting(PolicyEnforcement.Refusal::path)
        .containsExactly("nodes");
  }

  @Test
  void anExplanationNamesThePolicyAndNoRemedyThatItForbids() {
    TaskBuilder task = TaskBuilder.task();
    task.maxPrice = 2.0;
    PolicyEnforcement.Verdict<PolicySubject> verdict =
        PolicyEnforcement.judge(
            List.of(limit(2.0, null, null, null), NOT_IN_THE_US),
            SCOPE,
            new TaskPlanner().subject(task.build()));
    Explanation explanation =
        Explanation.of(
            new Memory(),
            Offers.market(Offers.machine("far", 1, "us-1"), Offers.machine("dear", 3)),
            new Explanation.Question(
                "main", task.plan("main", verdict.bounds(), ContainerImages.USUAL).spec(), null),
            Scenario.BEGIN);
    assertThat(explanation.verdict()).isEqualTo(Explanation.Verdict.UNPLACEABLE);
    assertThat(explanation.rules()).extracting(Explanation.Rule::name).contains("policy");
    assertThat(explanation.remedies()).isEmpty();
  }

  @Test
  void machinesAreKeptToTheTypesOfBackendsThatAreAllowed() {
    TaskBuilder task = TaskBuilder.task();
    PolicyBound noEngines =
        new PolicyBound(
            "no-engines",
            List.of(),
            List.of(),
            List.of(),
            List.of("docker"),
            List.of(),
            List.of(),
            false,
            null,
            null);
    for (String type : List.of("docker", "local")) {
      Scenario scenario = Scenario.with(Machines.large("m1").ofType(type));
      Explanation explanation =
          Explanation.of(
              scenario.memory,
              Offers.market(),
              new Explanation.Question(
                  Scenario.PROJECT,
                  task.plan(Scenario.PROJECT, List.of(noEngines), ContainerImages.USUAL).spec(),
                  null),
              Scenario.BEGIN);
      assertThat(explanation.verdict() == Explanation.Verdict.UNPLACEABLE)
          .as(type)
          .isEqualTo(type.equals("docker"));
      assertThat(explanation.rules().stream().anyMatch(rule -> rule.name().equals("policy")))
          .as(type)
          .isEqualTo(type.equals("docker"));
    }
  }
}
