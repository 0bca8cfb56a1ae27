package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.sim.Holding;
import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimCompute;
import dev.berth.backends.sim.SimConfig;
import dev.berth.client.BerthClient;
import dev.berth.model.ResourceType;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.RunRequest;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
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

/** Clusters through the API of a real server: their placement groups, as the cloud knows them. */
@Timeout(120)
class ClusterApiTest {
  private static final String PROJECT = RunningServer.PROJECT;
  private static final List<ResourceType> TWO_MACHINES_AND_THEIR_GROUP =
      List.of(ResourceType.INSTANCE, ResourceType.INSTANCE, ResourceType.PLACEMENT_GROUP);

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private SimCompute cloud;

  @BeforeEach
  void start() throws IOException {
    server = new RunningServer(home);
    client().addBackend(PROJECT, new BackendRequest("cloud", "sim", configuration()));
    // The same cloud, through its file.
    cloud =
        new SimBackendType()
            .open(
                ConfigReader.read(SimConfig.class, configuration()),
                new BackendContext(
                    "cloud",
                    new Owner("looking"),
                    home.resolve("server/backend-data/cloud@main"),
                    Map.of(),
                    InstantSource.system()));
  }

  @AfterEach
  void stop() {
    cloud.close();
    server.close();
  }

  private static Map<String, @Nullable Object> configuration() {
    Map<String, @Nullable Object> cloud = new LinkedHashMap<>();
    cloud.put("gives", "machines");
    cloud.put("scenario", Map.of("boot_time", "100ms", "delete_time", "300ms"));
    return cloud;
  }

  private BerthClient client() {
    return server.client();
  }

  private List<ResourceType> held() {
    return cloud.cloud().holdings().stream()
        .map(Holding::type)
        .filter(type -> type != ResourceType.JOB)
        .sorted()
        .toList();
  }

  @Test
  void aClusterHasOnePlacementGroupThatGoesWithItsLastMachine() {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "fleet");
    configuration.put("name", "lab");
    configuration.put("nodes", Map.of("min", 2, "target", 2, "max", 3));
    configuration.put("backends", List.of("cloud"));
    configuration.put("placement", "cluster");
    client()
        .applyFleet(PROJECT, new FleetRequest("lab", configuration), UUID.randomUUID().toString());
    Await.until(() -> client().fleet(PROJECT, "lab").fleet().nodes().idle() == 2);
    assertThat(held()).isEqualTo(TWO_MACHINES_AND_THEIR_GROUP);
    client().deleteFleet(PROJECT, "lab");
    Await.until(() -> held().isEmpty());
    Await.until(() -> client().fleets(PROJECT).fleets().isEmpty());
  }

  @Test
  void theMachinesOfARunWithSeveralNodesAreInAGroupThatIsNotLeftBehind() {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task("gang", "sleep 1000").configuration());
    configuration.put("backends", List.of("cloud"));
    configuration.put("nodes", 2);
    configuration.put("idle_duration", "0s");
    server.submit(new RunRequest("gang", configuration));
    Await.until(() -> client().get(PROJECT, "gang").run().status().equals("running"));
    assertThat(held()).isEqualTo(TWO_MACHINES_AND_THEIR_GROUP);
    client().stop(PROJECT, "gang", false);
    Await.until(() -> held().isEmpty());
    Await.until(() -> client().fleets(PROJECT).fleets().isEmpty());
  }
}
