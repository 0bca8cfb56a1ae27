package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backends that the server's file declares, with the simulated cloud as provider. */
@Timeout(120)
class DeclaredBackendsTest {
  private static final String ONE_CLOUD =
      """
      projects:
        - name: main
          backends:
            - type: sim
              name: cloud
              seed: 1
      """;

  private static final OfferRequest EVERYTHING = offersOf();

  private static OfferRequest offersOf(String... backends) {
    List<String> none = List.of();
    return new OfferRequest(
        null, null, null, null, null, null, List.of(backends), none, none, none, false, null, none);
  }

  @TempDir Path home;

  private void write(String text) throws IOException {
    Path draft = Files.writeString(home.resolve("draft"), text);
    // As editors do: a new file takes the place of the old one.
    Files.move(draft, home.resolve(ServerFile.NAME), StandardCopyOption.REPLACE_EXISTING);
  }

  private static Optional<BackendView> shown(RunningServer server, String name) {
    return server.client().backends(RunningServer.PROJECT).backends().stream()
        .filter(backend -> backend.name().equals(name))
        .findFirst();
  }

  private static void awaitReady(RunningServer server, String name) {
    Await.until(() -> shown(server, name).filter(one -> one.status().equals("ready")).isPresent());
  }

  private static RunRequest task(String name, String backend, String command) {
    Map<String, @Nullable Object> tree =
        new LinkedHashMap<>(RunningServer.task(name, command).configuration());
    tree.put("backends", List.of(backend));
    return new RunRequest(name, tree);
  }

  private static RunView await(RunningServer server, String run) {
    Await.until(() -> server.client().get(RunningServer.PROJECT, run).run().finishedAt() != null);
    return server.client().get(RunningServer.PROJECT, run).run();
  }

  @Test
  void whatTheFileDeclaresIsOpenedAndOnlyTheFileChangesIt() throws IOException {
    write(ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      assertThat(shown(server, "cloud").orElseThrow().origin()).isEqualTo("declared");
      assertThatThrownBy(
              () ->
                  server
                      .client()
                      .addBackend(
                          RunningServer.PROJECT, new BackendRequest("cloud", "sim", Map.of())))
          .isInstanceOf(ClientException.class)
          .hasMessageContaining("declared in the server's file");
      assertThatThrownBy(() -> server.client().removeBackend(RunningServer.PROJECT, "cloud", false))
          .hasMessageContaining("change it there");
      server.client().submit(RunningServer.PROJECT, task("one", "cloud", "echo hi"), "k1");
      assertThat(await(server, "one").status()).isEqualTo("done");
    }
    // It is there again after a restart, before anybody asked its provider.
    try (RunningServer server = new RunningServer(home)) {
      assertThat(shown(server, "cloud").orElseThrow().status()).isEqualTo("ready");
    }
  }

  @Test
  void aChangedFileIsFollowedWithoutARestart() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      assertThat(shown(server, "cloud")).as("no file yet").isEmpty();
      write(ONE_CLOUD);
      awaitReady(server, "cloud");
      server.client().submit(RunningServer.PROJECT, task("long", "cloud", "sleep 600"), "k1");
      Await.until(
          () ->
              server.client().get(RunningServer.PROJECT, "long").run().status().equals("running"));
      // Other settings while a run is there: it goes on.
      write(ONE_CLOUD.replace("seed: 1", "seed: 2"));
      Await.until(
          () ->
              shown(server, "cloud")
                  .filter(one -> one.status().equals("ready"))
                  .filter(one -> String.valueOf(one.config().get("seed")).equals("2"))
                  .isPresent());
      assertThat(server.client().get(RunningServer.PROJECT, "long").run().status())
          .isEqualTo("running");
      // Not in the file any more: it stays while something of ours is there.
      write("projects: [{name: main, backends: [{type: sim, name: other}]}]\n");
      awaitReady(server, "other");
      assertThat(shown(server, "cloud")).isPresent();
      server.client().stop(RunningServer.PROJECT, "long", true);
      await(server, "long");
      server.client().delete(RunningServer.PROJECT, "long");
      // As long as its job is being removed there is something of ours, and nobody looks again
      // soon.
      Await.until(() -> server.server().idleFor(Duration.ZERO));
      write("projects: [{name: main, backends: [{type: sim, name: other, seed: 3}]}]\n");
      Await.until(() -> shown(server, "cloud").isEmpty());
      Await.until(() -> told(server, "cloud@main").contains("backend.removed server"));
      assertThat(told(server, "cloud@main"))
          .containsExactly(
              "backend.added server", "backend.changed server", "backend.removed server");
    }
  }

  private static List<String> told(RunningServer server, String backend) {
    return server.client().events(RunningServer.PROJECT, 0, 1000, 0).events().stream()
        .filter(event -> event.entityKind().equals("backend"))
        .filter(event -> event.entityId().equals(backend))
        .map(event -> event.kind() + " " + event.actor())
        .toList();
  }

  @Test
  void aFileThatIsWrongChangesNothingAndASettingThatIsWrongIsShown() throws IOException {
    write(ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      write("projects: [{nam: main}]\n");
      write(ONE_CLOUD + "      - {type: sim, name: broken, identity: nonsense}\n");
      Await.until(() -> shown(server, "broken").isPresent());
      assertThat(shown(server, "broken").orElseThrow().status()).isNotEqualTo("ready");
      assertThat(shown(server, "broken").orElseThrow().message()).contains("identity");
      assertThat(shown(server, "cloud").orElseThrow().status()).isEqualTo("ready");
      write(ONE_CLOUD);
      Await.until(() -> shown(server, "broken").isEmpty());
    }
  }

  @Test
  void anUnexpectedFailureIsOfOneBackendAndTheFileIsFollowedOn() throws IOException {
    write(ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      // What is kept of it cannot be written where a folder stands.
      Path inTheWay = home.resolve("server/backends/other@main.json");
      Path inside = Files.createDirectories(inTheWay).resolve("inside");
      Files.writeString(inside, "");
      String other = "      - {type: sim, name: other}\n";
      write(ONE_CLOUD + other + "      - {type: sim, name: third}\n");
      awaitReady(server, "third");
      assertThat(shown(server, "other").orElseThrow().message()).contains("cannot be kept");
      Files.delete(inside);
      Files.delete(inTheWay);
      write(ONE_CLOUD + other);
      awaitReady(server, "other");
      Await.until(() -> shown(server, "third").isEmpty());
    }
  }

  @Test
  void aChangeThatFailedHalfWayIsTriedAgain() throws IOException {
    write(ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      String changed =
          ONE_CLOUD
              + "        scenario: {faults: [{kind: error, operation: prepare, calls: [1, 2]}]}\n";
      write(changed);
      Await.until(() -> shown(server, "cloud").orElseThrow().message() != null);
      // Anything else that changes is an occasion, and so is every minute.
      write(changed + "      - {type: sim, name: other}\n");
      awaitReady(server, "other");
      awaitReady(server, "cloud");
      assertThat(shown(server, "cloud").orElseThrow().config()).containsKey("scenario");
    }
  }

  @Test
  void projectsHaveBackendsOfTheSameNameAndUseOnlyTheirOwn() throws IOException {
    write(
        """
        projects:
          - name: main
            backends: [{type: sim, name: cloud, seed: 1}]
          - name: team
            backends: [{type: sim, name: cloud, seed: 2}, {type: sim, name: only-theirs}]
        """);
    try (RunningServer server = new RunningServer(home)) {
      People people = new People(server);
      people.project("poor");
      awaitReady(server, "cloud");
      BerthClient client = server.client();
      Await.until(() -> client.backends("team").backends().size() == 3);
      assertThat(client.backends("team").backends())
          .extracting(BackendView::name)
          .containsExactly("cloud", "local", "only-theirs");
      assertThat(client.backends("team").backends().getFirst().config()).containsEntry("seed", 2);
      assertThat(shown(server, "cloud").orElseThrow().config()).containsEntry("seed", 1);
      assertThat(shown(server, "only-theirs")).isEmpty();
      assertThat(client.backends("poor").backends())
          .extracting(BackendView::name)
          .containsExactly("local");
      client.submit("team", task("one", "cloud", "true"), "one");
      Await.until(() -> client.get("team", "one").run().finishedAt() != null);
      assertThat(client.get("team", "one").run().status()).isEqualTo("done");
      assertThat(client.get("team", "one").run().backend()).isEqualTo("cloud");
      // By name, by type, in plans, offers and explanations: nobody sees what others have.
      for (String word : List.of("cloud", "sim")) {
        assertThatThrownBy(() -> client.submit("poor", task("two", word, "true"), "two" + word))
            .hasMessageContaining("there is no backend '" + word + "'");
      }
      assertThatThrownBy(() -> server.submit(task("three", "only-theirs", "true")))
          .hasMessageContaining("there is no backend 'only-theirs'");
      assertThat(client.plan("poor", RunningServer.task("four", "true")).offers())
          .extracting(OfferView::backend)
          .containsOnly("local");
      assertThat(client.explain("poor", RunningServer.task("four", "true")).toString())
          .doesNotContain("cloud", "only-theirs");
      assertThat(client.offers("poor", EVERYTHING).toString())
          .doesNotContain("cloud", "only-theirs");
      assertThat(client.offers("team", offersOf("sim")).total()).isPositive();
      assertThat(client.offers("team", offersOf("sim")).warnings()).isEmpty();
      assertThat(client.offers("team", offersOf("cloud")).offers())
          .isNotEmpty()
          .allSatisfy(offer -> assertThat(offer.source()).isEqualTo("cloud"));
      assertThat(client.offers("team", offersOf("cloud")).warnings()).isEmpty();
      assertThatThrownBy(() -> client.access().deleteProject("team"))
          .hasMessageContaining("the project 'team' still has backends")
          .hasMessageContaining("cloud, only-theirs");
    }
  }

  @Test
  void anUnchangedFileAsksNoProviderAtTheNextStart() throws IOException {
    write(ONE_CLOUD);
    Path kept = home.resolve("server/backends/cloud@main.json");
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
    }
    // What is kept is encrypted anew whenever it is written.
    String before = Files.readString(kept);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
    }
    assertThat(Files.readString(kept)).isEqualTo(before);
  }

  @Test
  void aServerDoesNotStartWithAFileThatIsWrong() throws IOException {
    write("projects: [{nam: main}]\n");
    assertThatThrownBy(() -> new RunningServer(home))
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageContaining("server.yml:1:13: projects[0].nam");
  }

  @Test
  void aServerForTeamsKeepsItsOwnMachineToItself() throws IOException {
    write("server: {own-machine: false}\n" + ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      assertThat(shown(server, "local")).isEmpty();
      assertThatThrownBy(() -> server.submit(task("here", "local", "id")))
          .hasMessageContaining("there is no backend 'local'");
    }
  }

  @Test
  void whatIsInTheFileAndNotUsedIsTold() throws IOException {
    write("docker-image: docker:28-dind\ndefault-image: debian:12\n");
    assertThat(ServerFile.inHome(home).read().warnings())
        .singleElement()
        .asString()
        .contains("docker-image", "not used in this version");
  }

  @Test
  void imagesOfTheFileAreThoseOfRunsThatNameNone() throws IOException {
    write("default-image: team/base:1\n" + ONE_CLOUD);
    try (RunningServer server = new RunningServer(home)) {
      awaitReady(server, "cloud");
      assertThat(image(server, Map.of())).isEqualTo("team/base:1");
      assertThat(image(server, Map.of("python", "3.12"))).isEqualTo("python:3.12");
      assertThat(image(server, Map.of("image", "mine:2"))).isEqualTo("mine:2");
      assertThat(image(server, Map.of("backends", List.of("local"))))
          .as("runs there get no container")
          .isNull();
      assertThat(image(server, Map.of("backends", List.of("local", "cloud"))))
          .as("the machine that costs nothing is taken first, without a container")
          .isNull();
      write("python-image: team/python:{version}-slim\nnvcc-image: team/cuda:13\n" + ONE_CLOUD);
      Await.until(() -> "team/python:3.12-slim".equals(image(server, Map.of("python", "3.12"))));
      assertThat(image(server, Map.of("nvcc", true))).isEqualTo("team/cuda:13");
      assertThat(image(server, Map.of())).isEqualTo("ubuntu:24.04");
    }
  }

  private static @Nullable String image(RunningServer server, Map<String, ?> fields) {
    Map<String, @Nullable Object> tree =
        new LinkedHashMap<>(task("planned", "cloud", "true").configuration());
    tree.putAll(fields);
    return server.client().plan(RunningServer.PROJECT, new RunRequest("planned", tree)).image();
  }

  @Test
  void machinesAreAskedForByTheTypeOfTheirBackend() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend("main", new BackendRequest("shed", "local", Map.of()));
      assertThat(server.client().offers("main", offersOf("local")).total())
          .as("local, and shed, which is of that type")
          .isEqualTo(2);
      Map<String, @Nullable Object> typed = new LinkedHashMap<>();
      typed.put("type", "task");
      typed.put("commands", List.of("true"));
      typed.put("backends", List.of("local"));
      assertThat(server.client().plan("main", new RunRequest("typed", typed)).offers())
          .extracting(OfferView::backend)
          .containsExactly("local", "shed");
    }
  }
}
