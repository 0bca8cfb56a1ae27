package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.EventView;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.OidcLoginView;
import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserView;
import dev.berth.server.oidc.SigningKey;
import dev.berth.server.oidc.TestIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logging in with an identity provider, over HTTP. */
class LoginApiTest {
  private static final SigningKey KEY = SigningKey.rsa("k1");

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private TestIssuer issuer;

  private @Nullable RunningServer started;
  private @Nullable Sender sender;

  @BeforeEach
  void open() throws IOException {
    issuer = new TestIssuer(KEY);
  }

  @AfterEach
  void stop() {
    issuer.close();
    if (sender != null) {
      sender.close();
    }
    if (started != null) {
      started.close();
    }
  }

  /** A server that knows the issuer. */
  private RunningServer start(String... settings) throws IOException {
    StringBuilder file =
        new StringBuilder("oidc:\n  issuer: " + issuer.name() + "\n  client-id: berth\n");
    for (String line : settings) {
      file.append("  ").append(line).append('\n');
    }
    Files.writeString(home.resolve("server.yml"), file);
    return startAsItIs();
  }

  private RunningServer startAsItIs() throws IOException {
    RunningServer running = new RunningServer(home);
    started = running;
    sender = new Sender(running.server().url(), "127.0.0.1");
    return running;
  }

  private String token(String email) {
    return token(email, _ -> {});
  }

  private String token(String email, Consumer<Map<String, Object>> change) {
    Map<String, Object> claims = issuer.claims(email, Instant.now().getEpochSecond());
    change.accept(claims);
    return KEY.token(claims);
  }

  private Sender.Answer logIn(String idToken, @Nullable String tokenName) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("id_token", idToken);
    if (tokenName != null) {
      body.put("token_name", tokenName);
    }
    return Objects.requireNonNull(sender)
        .send("POST", "/login/oidc", ApiJson.MAPPER.writeValueAsString(body), null);
  }

  private String secretOf(Sender.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().get("secret").asString();
  }

  private static List<EventView> eventsOf(RunningServer running, String kind) {
    return running.client().allEvents(0, 1000, 0).events().stream()
        .filter(event -> event.kind().equals(kind))
        .toList();
  }

  @Test
  void theServerSaysHowToLogIn() throws IOException {
    RunningServer running = start("scopes: [openid, email]");
    try (BerthClient nobody = new BerthClient(running.server().url(), "")) {
      assertThat(nobody.access().login().oidc())
          .isEqualTo(
              new OidcLoginView(
                  issuer.name(),
                  "berth",
                  List.of("openid", "email"),
                  issuer.name() + "/device",
                  issuer.name() + "/token"));
    }
  }

  @Test
  void whoLogsInBecomesAUserWithATokenThatExpires() throws IOException {
    RunningServer running = start("create-users: true", "token-lifetime: 12h");
    Instant before = Instant.now();
    Sender.Answer answer = logIn(token("Ann@Example.com"), "laptop");
    String secret = secretOf(answer);
    assertThat(answer.json().get("token").get("name").asString()).isEqualTo("laptop");
    assertThat(Instant.parse(answer.json().get("token").get("expires_at").asString()))
        .isBetween(
            before.minusMillis(1).plus(Duration.ofHours(12)),
            Instant.now().plus(Duration.ofHours(12)));
    try (BerthClient ann = new BerthClient(running.server().url(), secret)) {
      assertThat(ann.info().user()).isEqualTo("ann@example.com");
      assertThat(ann.info().role()).isEqualTo("user");
      assertThat(ann.info().roles()).isEmpty();
    }
    EventView created = eventsOf(running, "user.created").getLast();
    assertThat(created.actor()).isEqualTo("server");
    assertThat(created.toString()).contains("ann@example.com", issuer.name());
    assertThat(eventsOf(running, "token.issued").getLast().actor()).isEqualTo("ann@example.com");
    assertThat(running.client().allEvents(0, 1000, 0).toString()).doesNotContain(secret);
    // A second login is another token of the same user.
    secretOf(logIn(token("ann@example.com"), null));
    assertThat(running.client().access().tokens("ann@example.com").tokens()).hasSize(2);
    assertThat(eventsOf(running, "user.created")).hasSize(2);
    assertThat(logIn(token("ann@example.com"), "laptop").status()).isEqualTo(409);
    assertThat(logIn(token("ann@example.com"), "a b").status()).isEqualTo(422);
  }

  @Test
  void withoutCreatingOnlyUsersThatAreThereLogIn() throws IOException {
    RunningServer running = start();
    Sender.Answer refused = logIn(token("ann@example.com"), null);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.detail()).contains("berth user create ann@example.com");
    running.client().access().makeUser(new UserRequest("ann@example.com", null));
    secretOf(logIn(token("ann@example.com"), null));
  }

  @Test
  void whoWasDeletedComesBackByAnAdminOnly() throws IOException {
    RunningServer running = start("create-users: true");
    String secret = secretOf(logIn(token("ann@example.com"), null));
    running.client().access().deleteUser("ann@example.com");
    Sender.Answer refused = logIn(token("ann@example.com"), null);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(Objects.requireNonNull(sender).send("GET", "/info", null, secret).status())
        .isEqualTo(401);
    assertThat(running.client().access().users().users())
        .extracting(UserView::name)
        .containsExactly("admin");
    running.client().access().makeUser(new UserRequest("ann@example.com", null));
    secretOf(logIn(token("ann@example.com"), null));
  }

  @Test
  void adminsOfTheFileAreAdminsFromTheirNextLoginOn() throws IOException {
    RunningServer running = start("create-users: true", "admins: [ann@example.com, ben@x.org]");
    try (BerthClient ann =
        new BerthClient(running.server().url(), secretOf(logIn(token("ann@example.com"), null)))) {
      assertThat(ann.info().role()).isEqualTo("admin");
    }
    running.client().access().makeUser(new UserRequest("ben@x.org", "user"));
    secretOf(logIn(token("ben@x.org"), null));
    assertThat(eventsOf(running, "user.updated").getLast().toString())
        .contains("ben@x.org", "admin", issuer.name());
  }

  @Test
  void nobodyBecomesTheServersOwnUserByChoosingItsName() throws IOException {
    RunningServer running = start("user-claim: preferred_username", "create-users: true");
    for (String name : List.of("admin", "server")) {
      Sender.Answer answer =
          logIn(token("eve@example.com", claims -> claims.put("preferred_username", name)), null);
      assertThat(answer.status()).as(name).isEqualTo(403);
    }
    assertThat(running.client().access().allTokens().tokens()).isEmpty();
  }

  @Test
  void whoIsNotAllowedDoesNotLearnWhy() throws IOException {
    start("create-users: true", "allowed-domains: [example.com]");
    Sender.Answer domain = logIn(token("ann@other.org"), null);
    Sender.Answer unverified =
        logIn(token("ann@example.com", claims -> claims.put("email_verified", false)), null);
    assertThat(domain.status()).isEqualTo(403).isEqualTo(unverified.status());
    assertThat(domain.detail()).isEqualTo(unverified.detail()).contains("ask one of its admins");
  }

  @Test
  void wrongTokensAreCountedByAddress() throws IOException {
    RunningServer running = start("create-users: true");
    String wrong = token("ann@example.com", claims -> claims.put("aud", "other"));
    String first = logIn(wrong, null).detail();
    for (int i = 1; i < FailedLogins.MOST; i++) {
      Sender.Answer answer = logIn(i % 2 == 0 ? wrong : "a.b.c", null);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.detail()).isEqualTo(first).contains("berth login").doesNotContain("client");
    }
    Sender.Answer waiting = logIn(wrong, null);
    assertThat(waiting.status()).isEqualTo(429);
    assertThat(waiting.response().headers().firstValue("Retry-After")).isPresent();
    // Wrong tokens of the API count on the same account.
    assertThat(Objects.requireNonNull(sender).send("GET", "/info", null, "berth_x").status())
        .isEqualTo(429);
    try (Sender elsewhere = new Sender(running.server().url(), "127.0.3.1")) {
      String body = ApiJson.MAPPER.writeValueAsString(Map.of("id_token", wrong));
      assertThat(elsewhere.send("POST", "/login/oidc", body, null).status()).isEqualTo(401);
    }
    // Who is who they say is not kept out by others, of whom a proxy may make one address.
    secretOf(logIn(token("ann@example.com"), null));
  }

  @Test
  void aDeadIssuerDoesNotKeepTheServerFromWorking() throws IOException {
    RunningServer running = start("create-users: true");
    issuer.down(true);
    assertThat(running.client().health().status()).isEqualTo("ok");
    for (int i = 0; i <= FailedLogins.MOST; i++) {
      Sender.Answer answer = logIn(token("ann@example.com"), null);
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.detail()).contains("try again later");
    }
    assertThat(Objects.requireNonNull(sender).send("GET", "/login", null, null).status())
        .isEqualTo(503);
  }

  @Test
  void aServerWithoutProviderSaysWhatToDo() throws IOException {
    RunningServer running = startAsItIs();
    try (BerthClient nobody = new BerthClient(running.server().url(), "")) {
      assertThat(nobody.access().login().oidc()).isNull();
    }
    Sender.Answer answer = logIn(token("ann@example.com"), null);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.detail()).contains("berth config --token");
  }

  @Test
  void anotherPersonWithTheSameAddressIsRefused() throws IOException {
    start("create-users: true");
    secretOf(logIn(token("ann@example.com"), null));
    Sender.Answer other =
        logIn(token("ann@example.com", claims -> claims.put("sub", "somebody-else")), null);
    assertThat(other.status()).isEqualTo(403);
    assertThat(other.detail()).contains("berth user delete ann@example.com");
    assertThat(
            logIn(token("ann@example.com", claims -> claims.remove("email_verified")), null)
                .status())
        .isEqualTo(403);
  }

  @Test
  void whatATokenThatEndsMakesDoesNotOutlastIt() throws Exception {
    RunningServer running = start("create-users: true", "token-lifetime: 12h");
    Sender.Answer login = logIn(token("ann@example.com"), null);
    String secret = secretOf(login);
    String ends = login.json().get("token").get("expires_at").asString();
    Sender sending = Objects.requireNonNull(sender);
    Sender.Answer unsaid = sending.send("POST", "/tokens", "{\"name\": \"a\"}", secret);
    assertThat(unsaid.status()).isEqualTo(201);
    assertThat(unsaid.json().get("token").get("expires_at").asString()).isEqualTo(ends);
    Sender.Answer shorter =
        sending.send("POST", "/tokens", "{\"name\": \"b\", \"expires_in_seconds\": 60}", secret);
    assertThat(shorter.status()).isEqualTo(201);
    assertThat(Instant.parse(shorter.json().get("token").get("expires_at").asString()))
        .isBefore(Instant.parse(ends));
    Sender.Answer longer =
        sending.send("POST", "/tokens", "{\"name\": \"c\", \"expires_in_seconds\": 86400}", secret);
    assertThat(longer.status()).isEqualTo(422);
    assertThat(longer.json().get("errors").get(0).get("path").asString())
        .isEqualTo("expires_in_seconds");
    assertThat(longer.body()).contains("cannot outlive it");
    // The token of the home folder does not end, nor need what it makes.
    assertThat(running.request("POST", "/api/v1/tokens", "{\"name\": \"d\"}", true).body())
        .contains("\"expires_at\":null");
  }

  @Test
  void whoLogsOutHasATokenLess() throws IOException {
    RunningServer running = start("create-users: true");
    String secret = secretOf(logIn(token("ann@example.com"), null));
    String other = secretOf(logIn(token("ann@example.com"), null));
    Sender sending = Objects.requireNonNull(sender);
    assertThat(sending.send("POST", "/logout", null, secret).status()).isEqualTo(200);
    assertThat(sending.send("GET", "/info", null, secret).status()).isEqualTo(401);
    assertThat(sending.send("GET", "/info", null, other).status()).isEqualTo(200);
    assertThat(eventsOf(running, "token.revoked").getLast().actor()).isEqualTo("ann@example.com");
    String own = Files.readString(home.resolve("token")).strip();
    assertThat(sending.send("POST", "/logout", null, own).status()).isEqualTo(409);
  }

  @Test
  void aRepeatedRequestTakesEffectOnce() throws IOException {
    RunningServer running = start("create-users: true");
    try (BerthClient nobody = new BerthClient(running.server().url(), "")) {
      OidcLoginRequest request = new OidcLoginRequest(token("ann@example.com"), null);
      assertThat(nobody.access().logIn(request, "key").secret()).isNotNull();
      assertThat(nobody.access().logIn(request, "key").secret()).isNull();
    }
    assertThat(running.client().access().tokens("ann@example.com").tokens()).hasSize(1);
  }
}
