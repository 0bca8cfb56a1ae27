package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.ClientException;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.EventView;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.PolicyView;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Policies of the server's file, through the API of a real server. */
@Timeout(120)
class PolicyApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  private static final String BACKENDS =
      """
      server: {own-machine: false}
      projects:
        - name: main
          backends:
            - {type: sim, name: cloud, gives: machines}
            - {type: sim, name: other, gives: machines}
        - name: lab
          backends:
            - {type: sim, name: cloud, gives: machines}
            - {type: sim, name: other, gives: machines}
      """;

  private static final String POLICIES =
      """
      policies:
        - name: one-cloud
          projects: [main]
          allow: {backends: [cloud]}
        - name: budget
          limit: {max-price: 1, max-duration: 8h}
          set: {tags: {team: research}}
        - name: safe
          deny: {privileged: true, images: ["evil/*"]}
          message: Ask the platform team.
        - name: shorter
          limit: {max-duration: 1h}
          dry-run: true
      """;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @BeforeEach
  void start() throws IOException {
    write(BACKENDS + POLICIES);
    server = new RunningServer(home);
    for (String name : List.of("cloud", "other")) {
      Await.until(
          () ->
              server.client().backends(PROJECT).backends().stream()
                  .anyMatch(one -> one.name().equals(name) && one.status().equals("ready")));
    }
  }

  private static Set<String> backendsOf(PlanView plan) {
    return plan.offers().stream().map(OfferView::backend).collect(Collectors.toSet());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void write(String text) throws IOException {
    Path draft = Files.writeString(home.resolve("draft"), text);
    Files.move(draft, home.resolve(ServerFile.NAME), StandardCopyOption.REPLACE_EXISTING);
  }

  private static RunRequest task(String name, Object... more) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, "true").configuration());
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(String.valueOf(more[i]), more[i + 1]);
    }
    return new RunRequest(name, configuration);
  }

  private static FleetRequest fleet(String name, Object... more) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "fleet");
    configuration.put("name", name);
    configuration.put("nodes", Map.of("min", 0, "target", 0, "max", 1));
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(String.valueOf(more[i]), more[i + 1]);
    }
    return new FleetRequest(name, configuration);
  }

  private PlanView plan(RunRequest request) {
    return server.client().plan(PROJECT, request);
  }

  private List<EventView> dryRuns() {
    return server.client().events(PROJECT, 0, 1000, 0).events().stream()
        .filter(event -> event.kind().equals("policy.dry_run"))
        .toList();
  }

  @Test
  void aPlanKeepsToThePoliciesAndTellsWhatTheyDo() {
    PlanView plan = plan(task("fine"));
    assertThat(plan.refusals()).isEmpty();
    assertThat(plan.offers())
        .isNotEmpty()
        .allMatch(offer -> offer.backend().equals("cloud") && offer.price() <= 1);
    assertThat(plan.policies())
        .contains(
            new PolicyView("one-cloud", "keeps it to the backends cloud", null, false),
            new PolicyView("budget", "sets tags", null, false),
            new PolicyView("budget", "limits max_price to 1.0", null, false),
            new PolicyView("budget", "limits max_duration to 8h", null, false),
            new PolicyView(
                "shorter",
                "max_duration: would be refused: runs last 1h at most, and this one asks for 8h",
                null,
                true));
    assertThat(dryRuns()).as("a plan leaves nothing").isEmpty();
  }

  @Test
  void whatIsNotAllowedIsRefusedEverywhereInTheSameWords() {
    RunRequest bad = task("bad", "privileged", true, "image", "docker.io/evil/x");
    List<FieldProblem> expected =
        List.of(
            new FieldProblem(
                "privileged",
                "refused by the policy 'safe': containers may not be privileged."
                    + " Ask the platform team."),
            new FieldProblem(
                "image",
                "refused by the policy 'safe': the image 'docker.io/evil/x' is not allowed."
                    + " Ask the platform team."));
    assertThat(plan(bad).refusals()).containsAll(expected);
    ExplainView explained = server.client().explain(PROJECT, bad);
    assertThat(explained.verdict()).isEqualTo("refused");
    assertThat(explained.refusals()).containsAll(expected);
    assertThatThrownBy(() -> server.submit(bad))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(422))
        .hasMessageContaining("refused by the policy 'safe'");
    assertThatThrownBy(() -> server.submit(task("far", "backends", List.of("other"))))
        .hasMessageContaining(
            "backends: refused by the policy 'one-cloud': the backend 'other' may not be used");
  }

  @Test
  void anAcceptedRunKeepsWhatItWasAcceptedWithAndDryRunsAreTold() throws IOException {
    server.submit(task("kept"));
    Map<String, @Nullable Object> stored = server.client().get(PROJECT, "kept").configuration();
    assertThat(stored.get("max_price")).isEqualTo(1.0);
    assertThat(stored.get("max_duration")).isEqualTo(28_800);
    assertThat(stored.get("tags")).isEqualTo(Map.of("team", "research"));
    EventView told = dryRuns().getFirst();
    assertThat(told.actor()).isEqualTo("admin");
    assertThat(told.data()).containsEntry("policy", "shorter");
    assertThat(told.entityId()).isEqualTo(server.client().get(PROJECT, "kept").run().id());
    Await.until(() -> server.client().get(PROJECT, "kept").run().finishedAt() != null);
    assertThat(server.client().get(PROJECT, "kept").run().backend()).isEqualTo("cloud");
  }

  @Test
  void fleetsAreHeldToThePoliciesToo() {
    FleetPlanView plan = server.client().planFleet(PROJECT, fleet("lab"));
    assertThat(plan.refusals()).isEmpty();
    assertThat(plan.offers())
        .isNotEmpty()
        .allMatch(offer -> offer.backend().equals("cloud") && offer.price() <= 1);
    assertThat(plan.policies()).extracting(PolicyView::name).contains("one-cloud", "budget");
    server.client().applyFleet(PROJECT, fleet("lab"), UUID.randomUUID().toString());
    assertThat(server.client().planFleet(PROJECT, fleet("lab")).action()).isEqualTo("none");
    assertThatThrownBy(
            () ->
                server
                    .client()
                    .applyFleet(PROJECT, fleet("far", "backends", List.of("other")), "k"))
        .hasMessageContaining("refused by the policy 'one-cloud'");
  }

  @Test
  void anExplanationNamesThePolicy() {
    ExplainView explained =
        server.client().explain(PROJECT, task("some", "instance_types", List.of("sim-h100-8")));
    assertThat(explained.verdict()).isEqualTo("unplaceable");
    assertThat(explained.rules()).extracting(ExplainView.Rule::name).contains("policy");
    assertThat(explained.remedies())
        .extracting(ExplainView.Remedy::fields)
        .doesNotContain(List.of("max_price"), List.of("backends"));
  }

  @Test
  void otherProjectsAreNotConcerned() {
    Await.until(
        () ->
            backendsOf(server.client().plan("lab", task("free"))).equals(Set.of("cloud", "other")));
    PlanView plan = server.client().plan("lab", task("free"));
    assertThat(plan.policies()).extracting(PolicyView::name).doesNotContain("one-cloud");
  }

  @Test
  void changedPoliciesHoldFromThenOnAndMistakesChangeNothing() throws IOException {
    assertThat(plan(task("some", "privileged", true)).refusals()).isNotEmpty();
    write(BACKENDS + POLICIES.replace("name: safe", "nam: safe"));
    // Whether the watch saw the mistake before the next file came is up to the file system.
    write(BACKENDS + POLICIES.replace("allow: {backends: [cloud]}", "allow: {backends: [other]}"));
    Await.until(() -> backendsOf(plan(task("some"))).equals(Set.of("other")));
    assertThat(plan(task("some", "privileged", true)).refusals()).isNotEmpty();
    write(BACKENDS);
    Await.until(() -> plan(task("some")).policies().isEmpty());
    assertThat(backendsOf(plan(task("some")))).containsExactlyInAnyOrder("cloud", "other");
  }

  @Test
  void policiesHoldWhileTheFileIsGone() throws IOException {
    Path file = home.resolve(ServerFile.NAME);
    Files.move(file, home.resolve("server.yml~"));
    Await.until(() -> fileCheck().sentence().contains("it is gone, so nothing changes"));
    assertThat(fileCheck().state()).isEqualTo("fail");
    assertThat(plan(task("some", "privileged", true)).refusals()).isNotEmpty();
    assertThat(server.client().backends(PROJECT).backends())
        .extracting(BackendView::name)
        .contains("cloud", "other");
    Files.move(home.resolve("server.yml~"), file);
    Await.until(() -> fileCheck().state().equals("ok"));
    write("policies: []\n");
    Await.until(() -> plan(task("some")).policies().isEmpty());
  }

  private DoctorView.Check fileCheck() {
    return server.client().doctor().checks().stream()
        .filter(check -> check.part().equals(ServerFile.NAME))
        .findFirst()
        .orElseThrow();
  }
}
