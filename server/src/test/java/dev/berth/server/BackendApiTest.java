package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendTypeView;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.EventView;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.server.plugins.PluginJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backends through the API of a real server, with the simulated cloud as provider. */
@Timeout(120)
class BackendApiTest {
  @TempDir Path home;

  private static BackendRequest sim(String name, Map<String, @Nullable Object> config) {
    return new BackendRequest(name, "sim", config);
  }

  private static Map<String, @Nullable Object> key(String key) {
    return Map.of("creds", Map.of("type", "api_key", "api_key", key));
  }

  private static RunRequest task(String name, String backend, String... commands) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, commands).configuration());
    configuration.put("backends", List.of(backend));
    return new RunRequest(name, configuration);
  }

  @Test
  void typesAreListedWithTheirSettings() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().backendTypes().types())
          .extracting(BackendTypeView::name)
          .contains("local", "sim");
      assertThat(server.client().backendTypes().failed()).isEmpty();
    }
  }

  @Test
  void anAddedBackendIsThereAfterARestartAndItsSecretIsShownNowhere() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      BackendView added =
          server.client().addBackend(RunningServer.PROJECT, sim("cloud", key("canary-key")));
      assertThat(added.status()).isEqualTo("ready");
      assertThat(added.toString()).doesNotContain("canary");
      // Asking once more for the same is no mistake.
      assertThat(server.client().addBackend(RunningServer.PROJECT, sim("cloud", key("canary-key"))))
          .isEqualTo(added);
    }
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().backends(RunningServer.PROJECT).backends())
          .extracting(BackendView::name, BackendView::status, BackendView::origin)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("cloud", "ready", "added"),
              org.assertj.core.groups.Tuple.tuple("local", "ready", "built-in"));
      assertThat(server.client().backends(RunningServer.PROJECT).toString())
          .contains("***")
          .doesNotContain("canary");
      assertThat(server.client().checkBackend(RunningServer.PROJECT, "cloud").status())
          .isEqualTo("ready");
    }
    Path kept = home.resolve("server/backends/cloud@main.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.equals(kept)) {
          assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.UTF_8))
              .as("%s", file)
              .doesNotContain("canary-key");
        }
      }
    }
  }

  @Test
  void whatIsWrongIsNamedAndNothingIsKept() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      assertRefused(server, sim("cloud", key("wrong")), "config.creds.api_key");
      assertRefused(
          server, sim("cloud", Map.of("colour", "x", "seed", "y")), "config.colour", "config.seed");
      assertRefused(server, sim("Cloud 9", Map.of()), "name");
      assertRefused(server, new BackendRequest("cloud", "nimbus", Map.of()), "type");
      assertThat(server.client().backends(RunningServer.PROJECT).backends()).hasSize(1);
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "cloud", false))
          .hasMessageContaining("there is no backend 'cloud'; there are local");
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "local", false))
          .hasMessageContaining("is built in and cannot be removed");
    }
    assertThat(home.resolve("server/backends")).doesNotExist();
  }

  private static void assertRefused(RunningServer server, BackendRequest request, String... paths) {
    assertThatThrownBy(() -> server.client().addBackend(RunningServer.PROJECT, request))
        .isInstanceOfSatisfying(
            ClientException.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(422);
              assertThat(refused.errors()).extracting(FieldProblem::path).contains(paths);
            });
  }

  /** What a run has written so far. */
  private static String written(RunningServer server, String run) {
    return new String(
        server
            .client()
            .log(RunningServer.PROJECT, run, BerthClient.Source.FIRST_NODE, "stdout", 0)
            .bytes(),
        java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void aRunOnAnAddedBackendKeepsItFromBeingRemoved() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of()));
      server.submit(task("hello", "cloud", "echo from afar", "sleep 600"));
      Await.until(
          () ->
              server.client().get(RunningServer.PROJECT, "hello").run().status().equals("running"));
      assertThat(server.client().get(RunningServer.PROJECT, "hello").run().backend())
          .isEqualTo("cloud");
      Await.until(() -> written(server, "hello").equals("from afar\n"));
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "cloud", false))
          .hasMessageContaining("still has 1 resource that Berth created; stop and delete");
      server.client().stop(RunningServer.PROJECT, "hello", true);
      // An ended job is released once its output is copied, and then nothing is left there.
      Await.until(
          () -> {
            try {
              return server.client().removeBackend(RunningServer.PROJECT, "cloud", false) != null;
            } catch (ClientException e) {
              return false;
            }
          });
      assertThat(new String(server.outputOf("hello"), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("from afar\n");
      assertThat(server.client().backends(RunningServer.PROJECT).backends()).hasSize(1);
      assertThatThrownBy(() -> server.submit(task("again", "cloud", "echo x")))
          .hasMessageContaining("there is no backend 'cloud'");
    }
    assertThat(home.resolve("server/backends/cloud@main.json")).doesNotExist();
  }

  @Test
  void aBackendWhoseTypeIsGoneIsNamedAndDoesNotStopTheServer() throws IOException {
    Files.createDirectories(home.resolve("server/backends"));
    Files.writeString(
        home.resolve("server/backends/old.json"),
        "{\"name\":\"old\",\"type\":\"nimbus\",\"config\":{\"region\":\"x\"},\"extras\":{},"
            + "\"state\":\"READY\"}");
    Files.writeString(home.resolve("server/backends/torn.json"), "{");
    try (RunningServer server = new RunningServer(home)) {
      BackendView old = server.client().backends(RunningServer.PROJECT).backends().getLast();
      assertThat(old.name()).isEqualTo("old");
      assertThat(old.status()).isEqualTo("failed");
      assertThat(old.message())
          .contains("its type 'nimbus' is not installed; put its plug-in back");
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "old", false))
          .hasMessageContaining("Berth cannot see which of its resources are still there");
      server.client().removeBackend(RunningServer.PROJECT, "old", true);
      assertThat(server.client().backends(RunningServer.PROJECT).backends()).hasSize(1);
    }
  }

  @Test
  void aBackendWhosePluginComesBackIsOpenedWhenBackendsAreListed() throws IOException {
    Files.createDirectories(home.resolve("server/backends"));
    Files.writeString(
        home.resolve("server/backends/old.json"),
        "{\"name\":\"old\",\"type\":\"nimbus\",\"config\":{\"region\":\"x\"},\"extras\":{},"
            + "\"state\":\"READY\"}");
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().backends(RunningServer.PROJECT).backends().getLast().message())
          .contains("its type 'nimbus' is not installed");
      new PluginJars(home)
          .jar(
              "nimbus.jar",
              List.of("Nimbus"),
              Map.of("Nimbus.java", PluginJars.type("Nimbus", "nimbus", "\"clouds\"")));
      // It is opened by its own code, which says that it cannot be.
      Await.until(
          () ->
              String.valueOf(
                      server
                          .client()
                          .backends(RunningServer.PROJECT)
                          .backends()
                          .getLast()
                          .message())
                  .equals("this backend cannot be opened"));
    }
  }

  @Test
  void whatWasSoldOutBeforeIsAskedForAgain() throws IOException {
    Map<String, @Nullable Object> late =
        Map.of(
            "scenario",
            Map.of("stock", List.of(Map.of("count", "0", "until", "3s")), "boot_time", "0s"));
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", late));
      Await.until(
          () -> {
            RunView run = server.submit(task("early", "cloud", "echo here"));
            server.outputOf(run.name());
            return server
                .client()
                .get(RunningServer.PROJECT, run.id())
                .run()
                .status()
                .equals("done");
          });
    }
  }

  @Test
  void aProviderThatDoesNotAnswerAtFirstIsAskedAgain() throws IOException {
    Map<String, @Nullable Object> shy =
        Map.of(
            "scenario",
            Map.of(
                "faults",
                List.of(
                    Map.of("kind", "error", "operation", "offers", "calls", List.of("1", "2")))));
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", shy));
      RunView run = server.submit(task("patient", "cloud", "echo here"));
      assertThat(new String(server.outputOf(run.name()), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("here\n");
    }
  }

  @Test
  void aBackendOfTheSameNameBeginsAnew() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of()));
      assertThat(home.resolve("server/backend-data/cloud@main")).isDirectory();
      server.client().removeBackend(RunningServer.PROJECT, "cloud", false);
      assertThat(home.resolve("server/backend-data/cloud@main")).doesNotExist();
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of("seed", "2")));
    }
  }

  @Test
  void aBackendWhoseSettingsStoppedWorkingIsMendedByOtherOnes() throws IOException {
    Path scenario = Files.writeString(home.resolve("scenario.yml"), "boot_time: 1s\n");
    Map<String, @Nullable Object> config = Map.of("scenario_file", scenario.toString());
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", config));
      assertThatThrownBy(
              () -> server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of())))
          .hasMessageContaining("the backend 'cloud' already exists; remove it first");
    }
    Files.delete(scenario);
    try (RunningServer server = new RunningServer(home)) {
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "cloud", false))
          .hasMessageContaining("add it again with settings that work");
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of()));
      server.client().removeBackend(RunningServer.PROJECT, "cloud", false);
      assertThat(server.client().backends(RunningServer.PROJECT).backends()).hasSize(1);
    }
  }

  @Test
  void suggestionsComeFromTheProvider() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      assertThat(
              server
                  .client()
                  .suggestBackend(RunningServer.PROJECT, sim("cloud", Map.of()))
                  .fields())
          .isNotEmpty();
    }
  }

  @Test
  void suggestionsAreForNamesAndFilesThatABackendCouldHave() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      for (String name : List.of("\u0000", "../cloud", "")) {
        assertThatThrownBy(
                () ->
                    server
                        .client()
                        .suggestBackend(
                            RunningServer.PROJECT, new BackendRequest(name, "local", Map.of())))
            .isInstanceOfSatisfying(
                ClientException.class, e -> assertThat(e.status()).isEqualTo(422))
            .hasMessageContaining("lower case letters");
      }
      // It has no end, so that whoever reads it never stops.
      assertThatThrownBy(
              () ->
                  server
                      .client()
                      .suggestBackend(
                          RunningServer.PROJECT,
                          sim("cloud", Map.of("scenario_file", "/dev/zero"))))
          .hasMessageContaining("not a file");
    }
  }

  @Test
  void whoChangedABackendIsAnEventWithoutItsSecrets() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", key("canary-key")));
      // Nothing changes, so nothing is told.
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", key("canary-key")));
      server.client().removeBackend(RunningServer.PROJECT, "cloud", false);
      server.client().addBackend(RunningServer.PROJECT, sim("cloud", Map.of()));
      server.client().removeBackend(RunningServer.PROJECT, "cloud", true);
      List<EventView> events =
          server.client().events(RunningServer.PROJECT, 0, 1000, 0).events().stream()
              .filter(event -> event.kind().startsWith("backend."))
              .toList();
      assertThat(events)
          .extracting(EventView::kind)
          .containsExactly("backend.added", "backend.removed", "backend.added", "backend.removed");
      assertThat(events).extracting(EventView::actor).containsOnly("admin");
      assertThat(String.valueOf(events.getFirst().data().get("after")))
          .contains("name=cloud", "type=sim", "origin=added", "api_key");
      assertThat(events.get(1).data()).containsOnlyKeys("before");
      assertThat(events.toString()).doesNotContain("canary");
    }
  }
}
