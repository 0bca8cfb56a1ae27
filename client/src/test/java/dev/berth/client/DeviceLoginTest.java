package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.berth.model.api.OidcLoginView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The device flow, against a provider that answers what a test has written down. */
class DeviceLoginTest {
  private static final String BEGUN =
      """
      {"device_code": "the device+code", "user_code": "ABCD-EFGH", "expires_in": 60,
       "verification_uri": "https://login.example.com/device", "interval": 2}\
      """;

  private record Scripted(int status, String body) {}

  private final Deque<Scripted> answers = new ArrayDeque<>();
  private final List<String> forms = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private final List<DeviceLogin.Invitation> invitations = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-16T12:00:00Z");

  @SuppressWarnings("NullAway.Init") // set before each test
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    http.createContext(
        "/",
        exchange -> {
          try (exchange) {
            forms.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            Scripted next = answers.size() > 1 ? answers.remove() : answers.element();
            byte[] bytes = next.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(next.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private void answer(int status, String body) {
    answers.add(new Scripted(status, body));
  }

  private void error(String word) {
    answer(400, "{\"error\": \"" + word + "\"}");
  }

  private String logIn() throws InterruptedException {
    String base = "http://127.0.0.1:" + http.getAddress().getPort();
    return logIn(base + "/device", base + "/token");
  }

  private String logIn(@Nullable String device, @Nullable String token)
      throws InterruptedException {
    return new DeviceLogin(
            new OidcLoginView(
                "https://login.example.com", "berth", List.of("openid", "email"), device, token),
            () -> now,
            time -> {
              pauses.add(time.toSeconds());
              now = now.plus(time);
            })
        .await(invitations::add);
  }

  @Test
  @Timeout(60)
  void aProviderThatNeverEndsItsAnswerIsSaidSo() {
    http.createContext(
        "/stalls",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
        });
    String stalls = "http://127.0.0.1:" + http.getAddress().getPort() + "/stalls";
    assertThatThrownBy(
            () ->
                new DeviceLogin(
                        new OidcLoginView(
                            "https://login.example.com", "berth", List.of(), stalls, stalls),
                        () -> now,
                        _ -> {},
                        Duration.ofSeconds(1))
                    .await(invitations::add))
        .isInstanceOf(DeviceLogin.FailedException.class)
        .hasMessageContaining("does not answer at " + stalls)
        .hasMessageContaining("no whole answer within 1 seconds");
  }

  private void assertFails(boolean denied, String part) {
    assertThatThrownBy(this::logIn)
        .isInstanceOfSatisfying(
            DeviceLogin.FailedException.class, e -> assertThat(e.denied()).isEqualTo(denied))
        .hasMessageContaining(part);
  }

  @Test
  void itInvitesAndAsksUntilSomebodyHasLoggedIn() throws InterruptedException {
    answer(200, BEGUN);
    error("authorization_pending");
    error("authorization_pending");
    answer(200, "{\"id_token\": \"a.b.c\", \"access_token\": \"x\"}");
    assertThat(logIn()).isEqualTo("a.b.c");
    assertThat(invitations)
        .containsExactly(
            new DeviceLogin.Invitation("https://login.example.com/device", "ABCD-EFGH", null));
    assertThat(pauses).containsExactly(2L, 2L, 2L);
    assertThat(forms.getFirst()).contains("client_id=berth", "scope=openid+email");
    assertThat(forms.getLast())
        .contains(
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code",
            "device_code=the+device%2Bcode", "client_id=berth");
  }

  @Test
  void itSlowsDownWhenToldAndStaysSo() throws InterruptedException {
    answer(200, BEGUN);
    error("slow_down");
    error("authorization_pending");
    error("slow_down");
    answer(503, "<html>busy</html>");
    answer(200, "{\"id_token\": \"a.b.c\"}");
    assertThat(logIn()).isEqualTo("a.b.c");
    assertThat(pauses).containsExactly(2L, 7L, 7L, 12L, 24L);
  }

  @Test
  void withoutAnIntervalItAsksEveryFiveSeconds() throws InterruptedException {
    answer(200, BEGUN.replace(", \"interval\": 2", ""));
    answer(200, "{\"id_token\": \"a.b.c\"}");
    logIn();
    assertThat(pauses).containsExactly(5L);
  }

  @Test
  void aNoIsANo() {
    answer(200, BEGUN);
    error("access_denied");
    assertFails(true, "denied");
  }

  @Test
  void aCodeThatNobodyEntersEnds() {
    answer(200, BEGUN);
    error("expired_token");
    assertFails(false, "in time");
    assertThat(pauses).hasSize(1);
    answers.clear();
    answer(200, BEGUN);
    error("authorization_pending");
    assertFails(false, "in time");
    assertThat(pauses).hasSize(1 + 30);
  }

  @Test
  void whatTheProviderSaysIsShownWithoutSteeringTheTerminal() {
    answer(
        400,
        "{\"error\": \"invalid_client\", \"error_description\": \"no \\u001b[31msuch client\"}");
    assertFails(false, "answers 400, invalid_client: no [31msuch client)");
    answers.clear();
    answer(200, "no JSON");
    assertFails(false, "does not begin a login (it answers 502)");
    answers.clear();
    answer(200, BEGUN);
    answer(200, "{\"access_token\": \"x\"}");
    assertFails(false, "gives no ID token");
    answers.clear();
    answer(200, BEGUN);
    error("invalid_grant");
    assertFails(false, "refuses the login (it answers 400, invalid_grant)");
  }

  @Test
  void onlyTheMachineItselfIsAskedWithoutTls() {
    assertThatThrownBy(() -> logIn("http://login.example.com/device", "https://x/token"))
        .isInstanceOf(DeviceLogin.FailedException.class)
        .hasMessageContaining("not an https address");
    assertThatThrownBy(() -> logIn(null, "https://login.example.com/token"))
        .isInstanceOf(DeviceLogin.FailedException.class)
        .hasMessageContaining("does not let devices log in");
    assertThat(forms).isEmpty();
  }

  @Test
  void aProviderThatIsNotThereIsSaidSo() {
    http.stop(0);
    assertFails(false, "does not answer");
    assertThat(pauses).isEmpty();
  }
}
