package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.PolicyBound;
import dev.berth.model.Wildcards;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PoliciesTest {
  private static final Policies.Scope SCOPE =
      new Policies.Scope("main", "ann", Map.of("rented", "cloud", "local", "local"));

  private static PolicyRule rule(
      PolicyRule.@Nullable Allow allow,
      PolicyRule.@Nullable Deny deny,
      PolicyRule.@Nullable Limit limit,
      @Nullable ProfileParams set) {
    return new PolicyRule("x", List.of(), List.of(), allow, deny, limit, set, null, false);
  }

  private static PolicyRule allow(
      List<String> backends, List<String> regions, List<String> types, List<String> images) {
    return rule(
        new PolicyRule.Allow(backends, regions, types, images, List.of()), null, null, null);
  }

  private static PolicyRule deny(
      List<String> backends, List<String> regions, List<String> types, List<String> images) {
    return rule(
        null,
        new PolicyRule.Deny(backends, regions, types, images, false, false, false, false),
        null,
        null);
  }

  private static PolicyRule denyFlags(boolean privileged, boolean docker, boolean spot) {
    return rule(
        null,
        new PolicyRule.Deny(
            List.of(), List.of(), List.of(), List.of(), privileged, docker, spot, false),
        null,
        null);
  }

  private static final PolicyRule NO_FOLDERS =
      rule(
          null,
          new PolicyRule.Deny(
              List.of(), List.of(), List.of(), List.of(), false, false, false, true),
          null,
          null);

  private static PolicyRule allowFolders(String... folders) {
    return rule(
        new PolicyRule.Allow(List.of(), List.of(), List.of(), List.of(), List.of(folders)),
        null,
        null,
        null);
  }

  private static Consumer<TaskBuilder> mounting(String path) {
    return task -> task.volumes.add(new MountPoint.InstanceMount(path, "/host", false));
  }

  private static PolicyRule limit(
      @Nullable Double price,
      @Nullable Duration duration,
      @Nullable Integer nodes,
      @Nullable Integer gpus) {
    return rule(null, null, new PolicyRule.Limit(price, duration, nodes, gpus), null);
  }

  private static PolicyRule with(
      PolicyRule rule, List<String> projects, List<String> users, boolean dryRun) {
    return new PolicyRule(
        rule.name(),
        projects,
        users,
        rule.allow(),
        rule.deny(),
        rule.limit(),
        rule.set(),
        "Ask us.",
        dryRun);
  }

  private static TaskConfiguration task(Consumer<TaskBuilder> change) {
    TaskBuilder builder = TaskBuilder.task();
    change.accept(builder);
    return builder.build();
  }

  private static Policies.Verdict<TaskConfiguration> judge(
      PolicyRule rule, Consumer<TaskBuilder> change) {
    return Policies.judge(List.of(rule), SCOPE, task(change));
  }

  static Stream<Arguments> refused() {
    List<String> none = List.of();
    return Stream.of(
        refusal("backends", allow(List.of("aws"), none, none, none), _ -> {}),
        refusal(
            "backends",
            allow(List.of("local"), none, none, none),
            task -> task.backends = List.of("rented")),
        refusal(
            "backends",
            deny(List.of("cloud"), none, none, none),
            task -> task.backends = List.of("rented")),
        refusal(
            "regions",
            allow(none, List.of("eu-*"), none, none),
            task -> task.regions = List.of("us-east-1")),
        refusal(
            "regions",
            deny(none, List.of("us-*"), none, none),
            task -> task.regions = List.of("US-east-1", "us-west-2")),
        refusal(
            "instance_types",
            allow(none, none, List.of("m7*"), none),
            task -> task.instanceTypes = List.of("p5.large")),
        refusal(
            "instance_types",
            deny(none, none, List.of("p5*"), none),
            task -> task.instanceTypes = List.of("p5.large")),
        refusal(
            "image",
            allow(none, none, none, List.of("ghcr.io/acme/*")),
            task -> task.image = "ghcr.io/other/x"),
        refusal(
            "image",
            deny(none, none, none, List.of("evil/*")),
            task -> task.image = "index.docker.io/evil/x:1"),
        refusal("privileged", denyFlags(true, false, false), task -> task.privileged = true),
        refusal("volumes", denyFlags(true, false, false), mounting("/")),
        refusal("volumes", NO_FOLDERS, mounting("/data")),
        refusal("volumes", allowFolders("/data"), mounting("/var/run/docker.sock")),
        refusal("docker", denyFlags(true, false, false), task -> task.docker = true),
        refusal("docker", denyFlags(false, true, false), task -> task.docker = true),
        refusal(
            "spot_policy",
            denyFlags(false, false, true),
            task -> task.spotPolicy = SpotPolicy.SPOT),
        refusal(
            "max_duration",
            limit(null, Duration.ofHours(1), null, null),
            task -> task.maxDuration = TimeLimit.of(Duration.ofHours(2))),
        refusal(
            "max_duration",
            limit(null, Duration.ofHours(1), null, null),
            task -> task.maxDuration = TimeLimit.OFF),
        refusal("nodes", limit(null, null, 2, null), task -> task.nodes(3)),
        refusal("resources.gpu", limit(null, null, null, 1), task -> task.gpus(2)));
  }

  private static Arguments refusal(String path, PolicyRule rule, Consumer<TaskBuilder> change) {
    return Arguments.of(path, rule, change);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatARuleForbidsIsRefusedAtItsFieldAndOnlyForThoseWhomItConcerns(
      String path, PolicyRule rule, Consumer<TaskBuilder> change) {
    Policies.Verdict<TaskConfiguration> verdict = judge(rule, change);
    assertThat(verdict.refusals()).extracting(Policies.Refusal::path).containsExactly(path);
    assertThat(verdict.refusals().getFirst().message()).startsWith("refused by the policy 'x': ");

    PolicyRule others = with(rule, List.of("lab-*"), List.of(), false);
    assertThat(judge(others, change))
        .isEqualTo(new Policies.Verdict<>(task(change), List.of(), List.of(), List.of()));
    PolicyRule otherUsers = with(rule, List.of("m*"), List.of("bob"), false);
    assertThat(judge(otherUsers, change).refusals()).isEmpty();
    assertThat(judge(with(rule, List.of("M*"), List.of("ann"), false), change).refusals())
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.message()).endsWith(". Ask us."));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aDryRunOnlyTells(String path, PolicyRule rule, Consumer<TaskBuilder> change) {
    Policies.Verdict<TaskConfiguration> verdict =
        judge(with(rule, List.of(), List.of(), true), change);
    assertThat(verdict.refusals()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
    assertThat(verdict.configuration()).isEqualTo(task(change));
    assertThat(verdict.notes()).allMatch(PolicyNote::dryRun);
    assertThat(verdict.policing().dryRuns())
        .extracting(PolicyNote::effect)
        .anyMatch(effect -> effect.startsWith(path + ": would be refused: "));
  }

  @Test
  void whatIsWithinARuleIsAccepted() {
    List<String> none = List.of();
    assertThat(judge(allow(List.of("cloud"), none, none, none), _ -> {}).refusals()).isEmpty();
    assertThat(
            judge(
                    allow(none, List.of("us-east-1"), none, none),
                    task -> task.regions = List.of("us-east-1a"))
                .refusals())
        .as("a zone of an allowed region")
        .isEmpty();
    assertThat(
            judge(
                    allow(none, none, none, List.of("ubuntu:*")),
                    task -> task.image = "docker.io/library/ubuntu")
                .refusals())
        .isEmpty();
    assertThat(judge(allow(none, none, none, List.of("a/*")), _ -> {}).refusals())
        .as("the server's own image")
        .isEmpty();
    assertThat(judge(limit(null, null, 2, 2), task -> task.nodes(2).gpus(2)).refusals()).isEmpty();
  }

  @Test
  void limitsAreFilledInOrLowered() {
    ProfileParams silent =
        judge(limit(2.0, Duration.ofHours(8), null, null), _ -> {}).configuration().profile();
    assertThat(silent.maxPrice()).isEqualTo(2);
    assertThat(silent.maxDuration()).isEqualTo(TimeLimit.of(Duration.ofHours(8)));
    assertThat(
            judge(limit(2.0, null, null, null), task -> task.maxPrice = 5.0)
                .configuration()
                .profile()
                .maxPrice())
        .isEqualTo(2);
    Policies.Verdict<TaskConfiguration> lower =
        judge(limit(2.0, null, null, null), task -> task.maxPrice = 1.0);
    assertThat(lower.configuration().profile().maxPrice()).isEqualTo(1);
    assertThat(lower.notes()).isEmpty();
    Policies.Verdict<TaskConfiguration> gpus =
        judge(limit(null, null, null, 4), task -> task.gpus(1));
    assertThat(gpus.configuration().run().resources().gpu())
        .satisfies(gpu -> assertThat(gpu.count()).isEqualTo(new Range<>(1, 4)));
    Policies.Verdict<TaskConfiguration> spot =
        judge(denyFlags(false, false, true), task -> task.spotPolicy = SpotPolicy.AUTO);
    assertThat(spot.configuration().profile().spotPolicy()).isEqualTo(SpotPolicy.ON_DEMAND);
    assertThat(spot.notes())
        .containsExactly(new PolicyNote("x", "limits spot_policy to on-demand", null, false));
  }

  @Test
  void defaultsAreForWhatWasLeftOutAndMeetTheOtherRules() {
    PolicyRule dear = rule(null, null, null, ProfileDefaults.only(SpotPolicy.SPOT, null, 9.0));
    Policies.Verdict<TaskConfiguration> verdict =
        Policies.judge(
            List.of(limit(4.0, null, null, null), dear),
            SCOPE,
            task(task -> task.spotPolicy = null));
    assertThat(verdict.configuration().profile().maxPrice()).isEqualTo(4);
    assertThat(verdict.configuration().profile().spotPolicy()).isEqualTo(SpotPolicy.SPOT);
    assertThat(judge(dear, task -> task.maxPrice = 1.0).configuration().profile().maxPrice())
        .isEqualTo(1);
    assertThat(
            Policies.judge(List.of(dear, denyFlags(false, false, true)), SCOPE, task(_ -> {}))
                .refusals())
        .extracting(Policies.Refusal::path)
        .containsExactly("spot_policy");
  }

  @Test
  void fleetsAreHeldToTheSameRules() {
    FleetConfiguration fleet =
        Offers.configuration(new FleetNodes(1, 1, null), Blocks.WHOLE, null, null);
    Policies.Verdict<FleetConfiguration> limited =
        Policies.judge(
            List.of(
                limit(2.0, Duration.ofHours(1), 3, 0),
                deny(List.of(), List.of("us-*"), List.of(), List.of())),
            SCOPE,
            fleet);
    assertThat(limited.refusals()).isEmpty();
    assertThat(limited.configuration().nodes()).isEqualTo(new FleetNodes(1, 1, 3));
    assertThat(limited.configuration().maxPrice()).isEqualTo(2);
    OfferView market =
        Offers.market(
            Offers.machine("dear", 3),
            Offers.machine("far", 1, "us-1"),
            Offers.gpuMachine("strong", 1, 1),
            Offers.machine("fine", 1));
    assertThat(FleetOffers.of(market, Shopping.spec(fleet, null, limited.bounds())))
        .extracting(candidate -> candidate.item().instanceType())
        .containsExactly("fine");
    assertThat(
            Policies.judge(
                    List.of(limit(null, null, 3, null)),
                    SCOPE,
                    Offers.configuration(new FleetNodes(0, 4, null), Blocks.WHOLE, null, null))
                .refusals())
        .extracting(Policies.Refusal::path)
        .containsExactly("nodes");
  }

  @Test
  void anExplanationNamesThePolicyAndNoRemedyThatItForbids() {
    TaskBuilder task = TaskBuilder.task();
    task.maxPrice = 2.0;
    Policies.Verdict<TaskConfiguration> verdict =
        Policies.judge(
            List.of(
                limit(2.0, null, null, null),
                deny(List.of(), List.of("us-*"), List.of(), List.of())),
            SCOPE,
            task.build());
    Explanation explanation =
        Explanation.of(
            new Memory(),
            Offers.market(Offers.machine("far", 1, "us-1"), Offers.machine("dear", 3)),
            new Explanation.Question(
                "main", task.written(), verdict.configuration(), null, verdict.bounds()),
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
                  Scenario.PROJECT, task.written(), task.build(), null, List.of(noEngines)),
              Scenario.BEGIN);
      assertThat(explanation.verdict() == Explanation.Verdict.UNPLACEABLE)
          .as(type)
          .isEqualTo(type.equals("docker"));
      assertThat(explanation.rules().stream().anyMatch(rule -> rule.name().equals("policy")))
          .as(type)
          .isEqualTo(type.equals("docker"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "eu-*, eu-west-1, true",
    "eu-*, us-eu-1, false",
    "*, x, true",
    "a*b*c, axxbyyc, true",
    "a*b*c, axxbyy, false",
    "A*, abc, true",
    "a.c, abc, false",
    "**, '', true",
    "a, ab, false",
    "ab, a, false"
  })
  void aStarStandsForAnyText(String pattern, String text, boolean matches) {
    assertThat(Wildcards.matches(pattern, text)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "/data, /data, true",
    "/data/, /data, true",
    "/data, /data/, true",
    "/data, //data/., true",
    "/data, /data/below, false",
    "/data, /database, false",
    "/data, /, false",
    "/data, /Data, false",
    "/data/*, /data/below/it, true",
    "/data/*, /data, false",
    "/data/*, /data/../etc, false",
    "/data/*, /database/x, false",
    "/data*, /database, true",
  })
  void aFolderIsAllowedByAPatternOfItsWholePath(String pattern, String path, boolean allowed) {
    assertThat(judge(allowFolders(pattern), mounting(path)).refusals().isEmpty())
        .isEqualTo(allowed);
  }

  @Test
  void foldersThatARuleAllowsAreNoWayAroundTheOneAgainstPrivilegedContainers() {
    List<PolicyRule> both = List.of(denyFlags(true, false, false), allowFolders("/data"));
    assertThat(Policies.judge(both, SCOPE, task(mounting("/data"))).refusals()).isEmpty();
    assertThat(Policies.judge(both, SCOPE, task(mounting("/"))).refusals())
        .extracting(Policies.Refusal::path)
        .containsExactly("volumes");
    assertThat(judge(denyFlags(true, false, false), _ -> {}).refusals()).isEmpty();
    assertThat(
            Policies.judge(
                    List.of(
                        denyFlags(true, false, false),
                        with(allowFolders("/data"), List.of(), List.of(), true)),
                    SCOPE,
                    task(mounting("/data")))
                .refusals())
        .as("a rule that is only tried out allows nothing")
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "ubuntu:*, ubuntu, true",
    "ubuntu:*, docker.io/library/ubuntu:24.04, true",
    "ubuntu:*, ubuntu:5000/evil, false",
    "ubuntu:*, ubuntu.example.com/evil, false",
    "ubuntu, index.docker.io:443/ubuntu, true",
    "evil/*, registry-1.docker.io:443/evil/x:1, true",
    "evil/*, registry.hub.docker.com/evil/x, true",
    "evil/*, ghcr.io/evil/x, false",
    "evil/*, evil:80/x, false",
    "ghcr.io/evil/*, ghcr.io:443/evil/x, true",
    "ghcr.io/evil/*, GHCR.io/Evil/x, true",
    "ghcr.io:443/evil/*, ghcr.io/evil/x, true",
    "ghcr.io/evil/*, ghcr.io:5000/evil/x, false",
    "*.example.com/*, hub.example.com/x/y, true",
    "*.example.com/*, evil.org/a.example.com/y, false",
    "docker.io/acme/x:1, registry-1.docker.io/acme/x:1@sha256:ab, true",
    "docker.io/library/ubuntu:latest, ubuntu, true",
    "library/ubuntu, ubuntu:latest, true",
    "localhost:5000/x, localhost:5000/x:latest, true",
    "docker.io/localhost:5000/x, localhost:5000/x, false",
    "'*:latest', ghcr.io/acme/x, true",
    "'*', ghcr.io/acme/x, true",
    "'*/evil/*', ghcr.io/evil/x, true",
    "'*/evil/*', evil/x, true",
  })
  void anImageIsMeantHoweverItIsWritten(String pattern, String image, boolean meant) {
    assertThat(ImageName.of(image).isMeantBy(List.of(pattern))).isEqualTo(meant);
  }
}
