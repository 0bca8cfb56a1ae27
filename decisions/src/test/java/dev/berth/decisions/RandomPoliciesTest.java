package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.PolicyBound;
import dev.berth.model.Wishes;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.policy.PolicyEnforcement;
import dev.berth.planning.policy.PolicySubject;
import dev.berth.planning.task.TaskPlanner;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** With any rules, what is accepted is never placed where one of them forbids it. */
class RandomPoliciesTest {
  private static final Map<String, String> BACKENDS =
      Map.of("aws", "aws", "lab", "sim", "other", "sim");
  private static final List<String> REGIONS = List.of("eu-1", "eu-2", "us-1");
  private static final List<String> TYPES = List.of("m7.large", "p5.large", "p5.huge");

  private static List<String> some(Random random, String... words) {
    return random.nextInt(3) > 0 ? List.of() : List.of(words[random.nextInt(words.length)]);
  }

  private static PolicyRule rule(Random random, int number) {
    return new PolicyRule(
        "rule-" + number,
        some(random, "main", "lab", "*"),
        some(random, "ann", "b*"),
        random.nextBoolean()
            ? null
            : new PolicyRule.Allow(
                some(random, "aws", "sim", "*a*"),
                some(random, "eu-*", "us-1"),
                some(random, "p5*", "m7.large", "*large"),
                List.of(),
                List.of()),
        random.nextBoolean()
            ? null
            : new PolicyRule.Deny(
                some(random, "other", "sim"),
                some(random, "eu-2", "us*"),
                some(random, "*huge"),
                List.of(),
                false,
                false,
                random.nextInt(4) == 0,
                false),
        random.nextBoolean()
            ? null
            : new PolicyRule.Limit(
                random.nextBoolean() ? null : 1.0 + random.nextInt(4),
                null,
                random.nextBoolean() ? null : 1 + random.nextInt(3),
                random.nextBoolean() ? null : random.nextInt(5)),
        random.nextInt(3) > 0
            ? null
            : defaults(List.of(SpotPolicy.values()).get(random.nextInt(3))),
        null,
        random.nextInt(4) == 0);
  }

  private static ProfileParams defaults(SpotPolicy spot) {
    TaskBuilder task = TaskBuilder.task();
    task.stopDuration = null;
    task.spotPolicy = spot;
    task.maxPrice = 5.0;
    return task.build().profile();
  }

  private static TaskConfiguration task(Random random) {
    TaskBuilder task = TaskBuilder.task();
    task.backends = random.nextBoolean() ? null : List.of(random.nextBoolean() ? "aws" : "sim");
    task.regions = random.nextBoolean() ? null : List.of(REGIONS.get(random.nextInt(3)), "eu-1");
    task.instanceTypes = random.nextBoolean() ? null : TYPES.subList(0, 1 + random.nextInt(3));
    task.spotPolicy =
        random.nextBoolean() ? null : List.of(SpotPolicy.values()).get(random.nextInt(3));
    task.maxPrice = random.nextBoolean() ? null : 0.5 + random.nextInt(6);
    if (random.nextBoolean()) {
      task.gpus(random.nextInt(3));
    }
    return task.nodes(1 + random.nextInt(3)).build();
  }

  private static OfferView market(Random random) {
    List<Candidate> candidates = new ArrayList<>();
    BACKENDS.forEach(
        (name, type) -> {
          for (String region : REGIONS) {
            for (String instance : TYPES) {
              CatalogItem item =
                  Offers.item(
                      instance,
                      random.nextInt(12) / 2.0,
                      region,
                      random.nextBoolean(),
                      random.nextInt(9));
              candidates.add(
                  new Candidate(
                      name, type, item, Availability.AVAILABLE, List.of(), Offers.MACHINES));
            }
          }
        });
    return OfferView.of(candidates, true, Instant.MAX);
  }

  /** Told apart from the code under test, with other means. */
  private static boolean is(List<String> patterns, String word) {
    return patterns.stream()
        .anyMatch(pattern -> Pattern.matches(pattern.replace(".", "\\.").replace("*", ".*"), word));
  }

  private static @Nullable String forbidden(PolicyRule rule, Candidate candidate) {
    PolicyRule.Allow allow = rule.allowed();
    PolicyRule.Deny deny = rule.denied();
    CatalogItem item = candidate.item();
    CatalogItem.Gpu gpu = item.gpu();
    Double most = rule.limits().maxPrice();
    Integer gpus = rule.limits().gpus();
    boolean ofBackend =
        is(allow.backends(), candidate.backend()) || is(allow.backends(), candidate.type());
    if ((!allow.backends().isEmpty() && !ofBackend)
        || is(deny.backends(), candidate.backend())
        || is(deny.backends(), candidate.type())) {
      return "backend";
    }
    if ((!allow.regions().isEmpty() && !is(allow.regions(), item.region()))
        || is(deny.regions(), item.region())) {
      return "region";
    }
    if ((!allow.instanceTypes().isEmpty() && !is(allow.instanceTypes(), item.instanceType()))
        || is(deny.instanceTypes(), item.instanceType())) {
      return "instance type";
    }
    if (deny.spot() && item.spot()) {
      return "spot";
    }
    if (most != null && item.price() > most) {
      return "price";
    }
    return gpus != null && gpu != null && gpu.count() > gpus ? "gpus" : null;
  }

  private static boolean concerns(PolicyRule rule) {
    return (rule.projects().isEmpty() || is(rule.projects(), "main"))
        && (rule.users().isEmpty() || is(rule.users(), "ann"));
  }

  private static PolicyEnforcement.Verdict<TaskConfiguration> judge(
      List<PolicyRule> rules, PolicyEnforcement.Scope scope, TaskConfiguration task) {
    TaskPlanner planner = new TaskPlanner();
    PolicyEnforcement.Verdict<PolicySubject> verdict =
        PolicyEnforcement.judge(rules, scope, planner.subject(task));
    return verdict.of(planner.with(task, verdict.configuration()));
  }

  @Test
  void anAcceptedRunNeverHasACandidateThatARuleDenies() {
    int accepted = 0;
    int chosen = 0;
    int refused = 0;
    for (int seed = 0; seed < 4_000; seed++) {
      Random random = new Random(seed);
      List<PolicyRule> rules = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        rules.add(rule(random, i));
      }
      TaskConfiguration task = task(random);
      PolicyEnforcement.Scope scope = new PolicyEnforcement.Scope("main", "ann", BACKENDS);
      PolicyEnforcement.Verdict<TaskConfiguration> verdict = judge(rules, scope, task);
      List<PolicyRule> live = rules.stream().filter(rule -> !rule.dryRun()).toList();
      PolicyEnforcement.Verdict<TaskConfiguration> withoutDry = judge(live, scope, task);
      assertThat(verdict.configuration()).isEqualTo(withoutDry.configuration());
      assertThat(verdict.refusals()).isEqualTo(withoutDry.refusals());
      assertThat(verdict.bounds()).isEqualTo(withoutDry.bounds());
      if (!verdict.refusals().isEmpty()) {
        refused++;
        continue;
      }
      accepted++;
      List<PolicyBound> bounds = verdict.bounds();
      TaskConfiguration judged = verdict.configuration();
      Wishes wishes =
          new TaskPlanner()
              .plan(new PlanRequest<>("main", judged, judged, bounds, ContainerImages.USUAL))
              .spec()
              .first()
              .wishes();
      for (Candidate candidate : market(random).offers(OfferRequirement.of(wishes)).candidates()) {
        chosen++;
        for (PolicyRule rule : live) {
          if (concerns(rule)) {
            assertThat(forbidden(rule, candidate)).as("seed %s, %s", seed, rule).isNull();
          }
        }
      }
    }
    // Rules that refuse all, or tasks that fit nowhere, would prove nothing.
    assertThat(accepted).isGreaterThan(1_000);
    assertThat(refused).isGreaterThan(100);
    assertThat(chosen).isGreaterThan(1_000);
  }
}
