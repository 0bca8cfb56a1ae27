package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.client.AccessClient;
import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.EventView;
import dev.berth.model.api.InfoView;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.MemberView;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.ProjectView;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.TokenView;
import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserRoleRequest;
import dev.berth.model.api.UserView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users, projects, members and tokens over HTTP. */
class AccessApiTest {
  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  @SuppressWarnings("NullAway.Init") // set before each test
  private People people;

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
    people = new People(running);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private AccessClient access() {
    return running.client().access();
  }

  private BerthClient as(String token) {
    return new BerthClient(running.server().url(), token);
  }

  private static void assertRefused(int status, String part, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ClientException.class,
            e -> {
              assertThat(e.status()).as(e.getMessage()).isEqualTo(status);
              assertThat(e).hasMessageContaining(part);
            });
  }

  @Test
  void theServersFileMayLetUsersMakeProjects() throws Exception {
    for (boolean allowed : List.of(true, false)) {
      Path folder = Files.createDirectories(home.resolve("may-" + allowed));
      Files.writeString(
          folder.resolve("server.yml"),
          "default_permissions:\n  "
              + (allowed
                  ? "allow_non_admins_create_projects: true\n"
                  : "allow_managers_manage_secrets: true\n"));
      try (RunningServer other = new RunningServer(folder);
          Sender sender = new Sender(other.server().url(), "127.0.0.1")) {
        People people = new People(other);
        String ann = people.user("ann", "user");
        String limited = people.token("ann", "limited", null, "user", null);
        String body = "{\"name\": \"lab\"}";
        assertThat(sender.send("POST", "/projects", body, limited).status()).isEqualTo(403);
        assertThat(sender.send("POST", "/projects", body, ann).status())
            .isEqualTo(allowed ? 201 : 403);
        assertThat(sender.send("GET", "/projects/lab/members", null, ann).status())
            .isEqualTo(allowed ? 200 : 404);
      }
    }
  }

  @Test
  void backendsAreShownOnlyToMembersOfTheirProject() {
    People people = new People(running);
    people.project("lab");
    BerthClient stranger = as(people.member("ann", "lab", "admin"));
    assertThat(stranger.info().backends()).isEmpty();
    people.join("ann", "main", "viewer");
    Await.until(() -> stranger.info().backends().equals(List.of("local")));
    BerthClient elsewhere = as(people.token("ann", "elsewhere", "lab", null, null));
    assertThat(elsewhere.info().backends()).isEmpty();
    stranger.close();
    elsewhere.close();
  }

  @Test
  void aServerStartsWithItsAdminAndItsProject() {
    assertThat(access().users().users()).extracting(UserView::name).containsExactly("admin");
    assertThat(access().projects().projects())
        .extracting(ProjectView::name, ProjectView::role)
        .containsExactly(tuple("main", "admin"));
    InfoView info = running.client().info();
    assertThat(info.user()).isEqualTo("admin");
    assertThat(info.role()).isEqualTo("admin");
    assertThat(info.roles()).isEqualTo(Map.of("main", "admin"));
  }

  @Test
  void aRestartSaysNothingNew() throws IOException {
    long before = running.client().allEvents(0, 1000, 0).events().size();
    running.close();
    running = new RunningServer(home);
    assertThat(running.client().allEvents(0, 1000, 0).events()).hasSize((int) before);
  }

  @Test
  void usersComeChangeAndGo() {
    access().makeUser(new UserRequest("ann", null));
    assertRefused(409, "already", () -> access().makeUser(new UserRequest("ann", null)));
    assertThat(access().changeUser("ann", new UserRoleRequest("admin")).role()).isEqualTo("admin");
    assertRefused(
        409, "the server's own", () -> access().changeUser("admin", new UserRoleRequest("user")));
    assertRefused(409, "the server's own", () -> access().deleteUser("admin"));
    assertThat(access().deleteUser("ann").name()).isEqualTo("ann");
    assertRefused(404, "no user 'ann'", () -> access().deleteUser("ann"));
    assertRefused(422, "'name' is wrong", () -> access().makeUser(new UserRequest("a b", null)));
    assertRefused(422, "'role' is wrong", () -> access().makeUser(new UserRequest("b", "boss")));
    assertRefused(409, "is reserved for", () -> access().makeUser(new UserRequest("server", null)));
    assertThat(access().users().users()).extracting(UserView::name).containsExactly("admin");
  }

  @Test
  void aMemberDoesWhatTheRoleAllows() {
    people.project("lab");
    String token = people.user("ann", "user");
    try (BerthClient ann = as(token)) {
      assertThat(ann.info().roles()).isEmpty();
      assertThat(ann.access().projects().projects()).isEmpty();
      assertRefused(404, "no project 'lab'", () -> ann.list("lab", true, 10, null));
      people.join("ann", "lab", "viewer");
      assertThat(ann.list("lab", true, 10, null).runs()).isEmpty();
      assertThat(ann.info().roles()).isEqualTo(Map.of("lab", "viewer"));
      assertRefused(
          403,
          "needs the role user",
          () -> ann.submit("lab", RunningServer.task("mine", "true"), "key"));
      people.join("ann", "lab", "user");
      assertThat(ann.submit("lab", RunningServer.task("mine", "true"), "key").user())
          .isEqualTo("ann");
      Await.until(() -> ann.get("lab", "mine").run().finishedAt() != null);
      access().removeMember("lab", "ann");
      assertRefused(404, "no project 'lab'", () -> ann.list("lab", true, 10, null));
    }
  }

  @Test
  void aManagerHasMembersButNoAdmins() {
    people.project("lab");
    access().makeUser(new UserRequest("bob", null));
    try (BerthClient manager = as(people.member("meg", "lab", "manager"))) {
      MemberView bob = manager.access().putMember("lab", new MemberRequest("bob", null));
      assertThat(bob.role()).isEqualTo("user");
      assertRefused(
          403,
          "only project admins",
          () -> manager.access().putMember("lab", new MemberRequest("meg", "admin")));
      assertRefused(
          403, "only project admins", () -> manager.access().removeMember("lab", "admin"));
      manager.access().removeMember("lab", "bob");
      assertRefused(404, "is not a member", () -> manager.access().removeMember("lab", "bob"));
      assertRefused(404, "is not a member", () -> manager.access().removeMember("lab", "b\u00fcb"));
    }
    assertRefused(409, "last admin", () -> access().removeMember("lab", "admin"));
    assertThat(access().members("lab").members())
        .extracting(MemberView::user, MemberView::role)
        .containsExactly(tuple("admin", "admin"), tuple("meg", "manager"));
  }

  @Test
  void aProjectGoesWithWhatItLeftButNotWithWhatIsActive() {
    people.project("lab");
    BerthClient client = running.client();
    client.submit("lab", RunningServer.task("long", "sleep 600"), "key");
    assertRefused(409, "still has the run 'long'", () -> access().deleteProject("lab"));
    client.stop("lab", "long", true);
    Await.until(() -> client.get("lab", "long").run().finishedAt() != null);
    String id = client.get("lab", "long").run().id();
    access().deleteProject("lab");
    assertRefused(404, "no project 'lab'", () -> client.get("lab", "long"));
    assertRefused(409, "there was a project", () -> people.project("lab"));
    assertRefused(409, "cannot be deleted", () -> access().deleteProject("main"));
    Await.until(
        () ->
            client.allEvents(0, 1000, 0).events().stream()
                .anyMatch(
                    event -> event.kind().equals("run.deleted") && event.entityId().equals(id)));
  }

  @Test
  void whatWasNotDeletedBeforeAnEndIsDeletedAfterTheNextStart() throws IOException {
    people.project("lab");
    BerthClient client = running.client();
    String id = client.submit("lab", RunningServer.task("left", "true"), "key").id();
    Await.until(() -> client.get("lab", "left").run().finishedAt() != null);
    running.close();
    DeletedBehindTheBack.delete(home, "lab");
    running = new RunningServer(home);
    Await.until(
        () ->
            running.client().allEvents(0, 1000, 0).events().stream()
                .anyMatch(
                    event -> event.kind().equals("run.deleted") && event.entityId().equals(id)));
  }

  @Test
  void theSecretOfATokenIsShownOnceAndKeptNowhere() throws Exception {
    TokenRequest request = new TokenRequest("ci", null, null, null, 3_600L);
    NewTokenView made = access().makeToken(request, "key");
    assertThat(made.secret()).matches("berth_[A-Za-z0-9_-]{43}");
    NewTokenView again = access().makeToken(request, "key");
    assertThat(again.token()).isEqualTo(made.token());
    assertThat(again.secret()).isNull();
    assertThat(access().tokens(null).tokens()).containsExactly(made.token());
    String secret = String.valueOf(made.secret());
    try (BerthClient ci = as(secret)) {
      assertThat(ci.info().user()).isEqualTo("admin");
    }
    String hash = Tokens.sha256(secret);
    assertThat(running.client().allEvents(0, 1000, 0).toString()).doesNotContain(secret, hash);
    assertThat(running.request("GET", "/api/v1/tokens", null, true).body())
        .doesNotContain(secret, hash);
    access().revokeToken("ci");
    running.close();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(secret);
      }
    }
    running = new RunningServer(home);
  }

  @Test
  void aRevokedTokenStopsAtOnceHereAlsoForAStreamThatIsOpen() throws Exception {
    String secret = people.token("admin", "ci", null, null, null);
    running.submit(RunningServer.task("long", "echo begun", "sleep 600"));
    try (BerthClient ci = as(secret)) {
      Begun begun = new Begun();
      CompletableFuture<Void> following =
          CompletableFuture.runAsync(
              () ->
                  assertRefused(
                      0,
                      "ended",
                      () ->
                          ci.follow(
                              RunningServer.PROJECT, "long", 0, new BerthClient.Position(), begun)),
              command -> Thread.ofVirtual().start(command));
      begun.await();
      access().revokeToken("ci");
      assertRefused(401, "was revoked", ci::info);
      following.get(60, TimeUnit.SECONDS);
    }
    end("long");
  }

  /** Kills a run and waits for its end, so that nothing of it is left. */
  private void end(String run) {
    running.client().stop(RunningServer.PROJECT, run, true);
    Await.until(() -> running.client().get(RunningServer.PROJECT, run).run().finishedAt() != null);
  }

  @Test
  void aLimitedTokenDoesLessThanItsUser() {
    people.project("lab");
    String scoped = people.token("admin", "scoped", "lab", "user", null);
    try (BerthClient limited = as(scoped)) {
      assertThat(limited.info().role()).isEqualTo("user");
      assertThat(limited.info().roles()).isEqualTo(Map.of("lab", "user"));
      assertThat(limited.access().projects().projects())
          .extracting(ProjectView::name)
          .containsExactly("lab");
      assertRefused(404, "no project 'main'", () -> limited.list("main", true, 10, null));
      assertThat(limited.list("lab", true, 10, null).runs()).isEmpty();
      assertRefused(
          403,
          "is restricted",
          () ->
              limited.access().makeToken(new TokenRequest("more", null, null, null, null), "key"));
      assertRefused(403, "is restricted", () -> limited.access().revokeToken("scoped"));
      assertRefused(403, "only a global admin", () -> limited.access().tokens("nobody"));
    }
  }

  @Test
  void tokensOfOthersAreForGlobalAdmins() {
    String token = people.user("ann", "user");
    TokenView own = access().tokens("ann").tokens().getFirst();
    assertThat(access().tokens(null).tokens()).isEmpty();
    assertThat(access().allTokens().tokens()).containsExactly(own);
    people.token("admin", "mine", null, null, null);
    String foreign = access().tokens(null).tokens().getFirst().id();
    try (BerthClient ann = as(token)) {
      assertThat(ann.access().tokens(null).tokens()).containsExactly(own);
      assertRefused(403, "only a global admin", () -> ann.access().tokens("admin"));
      assertRefused(403, "only a global admin", () -> ann.access().allTokens());
      assertRefused(
          403,
          "only a global admin",
          () -> ann.access().makeToken(new TokenRequest("x", "admin", null, null, null), "key"));
      assertRefused(404, "no token", () -> ann.access().revokeToken(foreign));
      assertRefused(404, "no token", () -> ann.access().revokeToken("mine"));
      assertRefused(
          404,
          "no project 'main'",
          () -> ann.access().makeToken(new TokenRequest("x", null, "main", null, null), "key"));
    }
    access().revokeToken(own.id());
    try (BerthClient ann = as(token)) {
      assertRefused(401, "was revoked", ann::info);
    }
  }

  @Test
  void everyChangeIsToldWithItsActorAndWhatWasBeforeAndAfter() {
    people.project("lab");
    people.member("ann", "lab", "viewer");
    people.join("ann", "lab", "user");
    access().deleteUser("ann");
    List<EventView> events = running.client().allEvents(0, 1000, 0).events();
    assertThat(events)
        .filteredOn(event -> event.actor().equals("admin"))
        .extracting(EventView::kind)
        .containsExactly(
            "project.created",
            "member.added",
            "user.created",
            "token.issued",
            "member.added",
            "member.updated",
            "token.revoked",
            "member.removed",
            "user.deleted");
    EventView updated =
        events.stream()
            .filter(event -> event.kind().equals("member.updated"))
            .findAny()
            .orElseThrow();
    assertThat(updated.project()).isEqualTo("lab");
    assertThat(updated.data())
        .isEqualTo(
            Map.of(
                "before",
                Map.of("project", "lab", "user", "ann", "role", "viewer"),
                "after",
                Map.of("project", "lab", "user", "ann", "role", "user")));
    assertThat(running.client().events("lab", 0, 1000, 0).events())
        .extracting(EventView::kind)
        .containsExactly("member.added", "member.added", "member.updated", "member.removed");
  }

  @Test
  void theSameKeyForAnotherThingIsRefused() throws Exception {
    running.submit(RunningServer.task("one", "sleep 600"));
    running.submit(RunningServer.task("two", "sleep 600"));
    try (Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      String token = Files.readString(home.resolve("token")).strip();
      assertThat(stop(sender, token, "one").status()).isEqualTo(200);
      assertThat(stop(sender, token, "two").status()).isEqualTo(422);
    }
    end("one");
    end("two");
  }

  private Sender.Answer stop(Sender sender, String token, String run) {
    return sender.send(
        HttpRequest.newBuilder(
                URI.create(running.server().url() + "/api/v1/projects/main/runs/" + run + "/stop"))
            .header("Authorization", "Bearer " + token)
            .header("Idempotency-Key", "same")
            .POST(HttpRequest.BodyPublishers.ofString("{\"abort\":true}"))
            .build());
  }
}
