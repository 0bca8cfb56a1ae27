package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.InstanceView;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fleets through the API of a real server, with the simulated cloud as provider of machines. */
@Timeout(120)
class FleetApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RunningServer(home);
    client()
        .addBackend(
            PROJECT,
            new BackendRequest(
                "cloud",
                "sim",
                Map.of(
                    "gives",
                    "machines",
                    "state",
                    "memory",
                    "scenario",
                    Map.of("boot_time", "100ms", "delete_time", "100ms"))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private BerthClient client() {
    return server.client();
  }

  private static FleetRequest fleet(String name, int min, int max, Object... more) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "fleet");
    configuration.put("name", name);
    configuration.put("nodes", Map.of("min", min, "target", min, "max", max));
    configuration.put("backends", List.of("cloud"));
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(String.valueOf(more[i]), more[i + 1]);
    }
    return new FleetRequest(name, configuration);
  }

  private static RunRequest task(String name, String... commands) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, commands).configuration());
    configuration.put("backends", List.of("cloud"));
    return new RunRequest(name, configuration);
  }

  private FleetView apply(FleetRequest request) {
    return client().applyFleet(PROJECT, request, UUID.randomUUID().toString());
  }

  private List<InstanceView> machines(String fleet) {
    return client().fleet(PROJECT, fleet).instances();
  }

  private void awaitIdle(String fleet, int count) {
    Await.until(() -> client().fleet(PROJECT, fleet).fleet().nodes().idle() == count);
  }

  @Test
  void thePlanOfARunShowsTheMachinesAndOffersOfTheFleetsThatItNames() {
    apply(fleet("lab", 1, 2, "instance_types", List.of("sim-cpu-8")));
    awaitIdle("lab", 1);
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task("plan", "true").configuration());
    configuration.put("fleets", List.of(Map.of("name", "lab")));
    List<OfferView> offers = client().plan(PROJECT, new RunRequest("plan", configuration)).offers();
    assertThat(offers.getFirst().instanceType()).isEqualTo("lab-0");
    assertThat(offers.getFirst().availability()).isEqualTo("idle");
    assertThat(offers.subList(1, offers.size()))
        .isNotEmpty()
        .allMatch(offer -> offer.instanceType().equals("sim-cpu-8"));
    configuration.put("fleets", List.of(Map.of("name", "lap")));
    assertThatThrownBy(() -> server.submit(new RunRequest("plan", configuration)))
        .hasMessageContaining("there is no fleet 'lap'");
  }

  @Test
  void eachNodeHasItsOutput() {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("name", "two");
    configuration.put("backends", List.of("cloud"));
    configuration.put(
        "groups",
        List.of(
            Map.of("commands", List.of("echo first")), Map.of("commands", List.of("echo other"))));
    server.submit(new RunRequest("two", configuration));
    assertThat(new String(server.outputOf("two"), StandardCharsets.UTF_8)).isEqualTo("first\n");
    BerthClient.Range other =
        client().log(PROJECT, "two", new BerthClient.Source(1, 1), "stdout", 0);
    assertThat(new String(other.bytes(), StandardCharsets.UTF_8)).isEqualTo("other\n");
    assertThatThrownBy(
            () -> client().log(PROJECT, "two", new BerthClient.Source(2, 0), "stdout", 0))
        .hasMessageContaining("has 2 nodes, from 0 to 1");
    assertThatThrownBy(
            () -> client().log(PROJECT, "two", new BerthClient.Source(1, 7), "stdout", 0))
        .hasMessageContaining("has no attempt 7");
  }

  @Test
  void aFleetGetsItsMachinesRunsUseThemAndTheyAreGivenBack() {
    FleetPlanView plan = client().planFleet(PROJECT, fleet("lab", 1, 2));
    assertThat(plan.action()).isEqualTo("create");
    assertThat(plan.offers()).isNotEmpty();
    assertThat(plan.refusals()).isEmpty();

    FleetView made = apply(fleet("lab", 1, 2));
    assertThat(made.status()).isEqualTo("active");
    awaitIdle("lab", 1);
    InstanceView machine = machines("lab").getFirst();
    assertThat(machine.backend()).isEqualTo("cloud");
    assertThat(machine.instanceType()).isEqualTo(plan.offers().getFirst().instanceType());
    FleetView shown = client().fleets(PROJECT).fleets().getFirst();
    assertThat(shown.id()).isEqualTo(made.id());
    assertThat(shown.price()).isEqualTo(machine.price()).isPositive();

    server.submit(task("guest", "echo hi"));
    server.outputOf("guest");
    assertThat(client().get(PROJECT, "guest").attempts().getFirst().instance())
        .isEqualTo(machine.id());

    client().deleteFleet(PROJECT, "lab");
    Await.until(() -> client().fleets(PROJECT).fleets().isEmpty());
    assertThatThrownBy(() -> client().fleet(PROJECT, "lab"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(404));
    assertThat(client().fleet(PROJECT, made.id()).fleet().status()).isEqualTo("terminated");
  }

  @Test
  void aPlanSaysWhatAnUpdateChangesAndTheUpdateIsDoneInPlace() {
    FleetView made = apply(fleet("lab", 0, 2));
    assertThat(client().planFleet(PROJECT, fleet("lab", 0, 2)).action()).isEqualTo("none");
    FleetRequest changed = fleet("lab", 0, 3, "idle_duration", 3600);
    FleetPlanView plan = client().planFleet(PROJECT, changed);
    assertThat(plan.action()).isEqualTo("update");
    assertThat(plan.changes())
        .containsExactlyInAnyOrder(
            new FieldChange("nodes.max", "2", "3"),
            new FieldChange("idle_duration", "259200", "3600"));
    FleetView updated = apply(changed);
    assertThat(updated.id()).isEqualTo(made.id());
    assertThat(updated.nodes().max()).isEqualTo(3);
    assertThat(client().fleets(PROJECT).fleets()).hasSize(1);
  }

  @Test
  void theSameKeyMakesOneFleetEvenWithoutAName() {
    FleetRequest named = fleet("any", 0, 1);
    Map<String, @Nullable Object> nameless = new LinkedHashMap<>(named.configuration());
    nameless.remove("name");
    FleetRequest request = new FleetRequest(null, nameless);
    FleetView first = client().applyFleet(PROJECT, request, "key");
    assertThat(client().applyFleet(PROJECT, request, "key").id()).isEqualTo(first.id());
    assertThat(client().fleets(PROJECT).fleets()).hasSize(1);
    assertThatThrownBy(() -> client().applyFleet(PROJECT, named, "key"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(422));
  }

  @Test
  void whatNoFleetCanBeIsRefusedWithItsField() {
    Map<String, @Nullable Object> hosts = new LinkedHashMap<>();
    hosts.put("type", "fleet");
    hosts.put("name", "hosts");
    hosts.put(
        "ssh_config",
        Map.of(
            "user",
            "me",
            "identity_file",
            "key",
            "hosts",
            List.of(Map.of("hostname", "10.0.0.1"))));
    FleetRequest own = new FleetRequest("hosts", hosts);
    assertThat(client().planFleet(PROJECT, own).refusals())
        .extracting("path")
        .containsExactly("ssh_config");
    assertThatThrownBy(() -> apply(own)).hasMessageContaining("use 'nodes'");
    assertThatThrownBy(() -> apply(fleet("lab", 0, 1, "backends", List.of("nimbus"))))
        .hasMessageContaining("there is no backend 'nimbus'");
    assertThatThrownBy(() -> apply(new FleetRequest(null, Map.of("type", "task"))))
        .hasMessageContaining("expected the configuration of a fleet");
    assertThatThrownBy(() -> client().deleteFleet(PROJECT, "none"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(404));
    assertThat(client().fleets(PROJECT).fleets()).isEmpty();
  }

  @Test
  void aRunWithoutAFleetHasATemporaryOneThatCanBeDeleted() {
    server.submit(task("alone", "echo hi"));
    server.outputOf("alone");
    FleetView temporary = client().fleets(PROJECT).fleets().getFirst();
    assertThat(temporary.temporary()).isTrue();
    assertThat(temporary.name()).isEqualTo("alone");
    assertThat(temporary.nodes().idle()).isEqualTo(1);
    client().deleteFleet(PROJECT, "alone");
    Await.until(() -> client().fleets(PROJECT).fleets().isEmpty());
  }

  @Test
  void aFleetThatNothingMatchesSaysSoAndWhenItIsTriedAgain() {
    FleetRequest request = fleet("vain", 1, 1, "max_price", 0.0001);
    apply(request);
    Await.until(() -> client().fleet(PROJECT, "vain").fleet().message() != null);
    FleetView shown = client().fleet(PROJECT, "vain").fleet();
    assertThat(shown.message()).contains("no offer matches the fleet's requirements");
    assertThat(shown.nextAt()).isNotNull();
    assertThat(client().planFleet(PROJECT, request).offers()).isEmpty();
  }
}
