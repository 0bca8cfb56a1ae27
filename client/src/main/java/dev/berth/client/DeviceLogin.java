package dev.berth.client;

import dev.berth.model.api.OidcLoginView;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Logs in at an identity provider from a machine that needs no browser (RFC 8628): a person types a
 * code into a browser elsewhere, while this one asks whether that is done.
 */
public final class DeviceLogin {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final Duration SLOW_DOWN = Duration.ofSeconds(5);
  private static final int LARGEST_ANSWER = 1024 * 1024;
  private static final int LONGEST_INTERVAL = 300;
  private static final int USUAL_INTERVAL = 5;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  private final OidcLoginView provider;
  private final InstantSource clock;
  private final Pause pause;
  private final Duration answerWithin;

  /** Lets time go by. */
  public interface Pause {
    void pause(Duration time) throws InterruptedException;
  }

  /**
   * What the person has to do.
   *
   * @param complete an address that has the code in it; null where there is none
   */
  public record Invitation(String address, String code, @Nullable String complete) {}

  /** Who tells the person. */
  public interface Host {
    void invite(Invitation invitation);
  }

  /** It did not work; the message says what to do. */
  public static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean denied;

    FailedException(boolean denied, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.denied = denied;
    }

    /** Whether somebody said no. */
    public boolean denied() {
      return denied;
    }
  }

  private record Answer(int status, JsonNode body) {
    String text(String field) {
      // What a provider writes goes to a terminal, which must not be steered by it.
      return body.path(field).asString("").replaceAll("\\p{Cntrl}", "");
    }
  }

  public DeviceLogin(OidcLoginView provider, InstantSource clock, Pause pause) {
    this(provider, clock, pause, ANSWER_WITHIN);
  }

  DeviceLogin(OidcLoginView provider, InstantSource clock, Pause pause, Duration answerWithin) {
    this.answerWithin = answerWithin;
    this.provider = provider;
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * Waits until somebody has logged in.
   *
   * @return the ID token
   */
  public String await(Host host) throws InterruptedException {
    URI begin = endpoint(provider.deviceAuthorizationEndpoint());
    URI ask = endpoint(provider.tokenEndpoint());
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(answerWithin).build()) {
      Answer answer;
      try {
        answer =
            post(
                http,
                begin,
                Map.of(
                    "client_id",
                    provider.clientId(),
                    "scope",
                    String.join(" ", provider.scopes())));
      } catch (IOException e) {
        throw new FailedException(
            false, "the identity provider does not answer at " + begin + ": " + e, e);
      }
      String deviceCode = answer.body().path("device_code").asString("");
      String complete = answer.text("verification_uri_complete");
      Invitation invitation =
          new Invitation(
              answer.text("verification_uri"),
              answer.text("user_code"),
              complete.isEmpty() ? null : complete);
      if (answer.status() != 200 || deviceCode.isEmpty() || invitation.code().isEmpty()) {
        throw refused("does not begin a login", answer);
      }
      Instant end = clock.instant().plusSeconds(answer.body().path("expires_in").asInt(600));
      int seconds = answer.body().path("interval").asInt(USUAL_INTERVAL);
      host.invite(invitation);
      return poll(
          http, ask, deviceCode, end, Duration.ofSeconds(Math.clamp(seconds, 1, LONGEST_INTERVAL)));
    }
  }

  private String poll(HttpClient http, URI ask, String deviceCode, Instant end, Duration interval)
      throws InterruptedException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", GRANT);
    form.put("device_code", deviceCode);
    form.put("client_id", provider.clientId());
    Duration wait = interval;
    while (clock.instant().isBefore(end)) {
      pause.pause(wait);
      Answer answer;
      try {
        answer = post(http, ask, form);
      } catch (IOException e) {
        System.getLogger(DeviceLogin.class.getName())
            .log(System.Logger.Level.DEBUG, "The identity provider did not answer", e);
        wait = longer(wait, wait);
        continue;
      }
      if (answer.status() == 200) {
        String idToken = answer.body().path("id_token").asString("");
        if (idToken.isEmpty()) {
          throw refused("gives no ID token", answer);
        }
        return idToken;
      }
      switch (answer.text("error")) {
        case "authorization_pending" -> {}
        case "slow_down" -> wait = longer(wait, SLOW_DOWN);
        case "access_denied" ->
            throw new FailedException(
                true, "the login was denied; to try again: berth login", null);
        case "expired_token" -> throw expired();
        default -> {
          if (answer.status() < 500) {
            throw refused("refuses the login", answer);
          }
          wait = longer(wait, wait);
        }
      }
    }
    throw expired();
  }

  private static Duration longer(Duration wait, Duration by) {
    Duration sum = wait.plus(by);
    return sum.toSeconds() > LONGEST_INTERVAL ? Duration.ofSeconds(LONGEST_INTERVAL) : sum;
  }

  private static FailedException expired() {
    return new FailedException(
        false, "nobody entered the code in time; to get a new one: berth login", null);
  }

  private static FailedException refused(String what, Answer answer) {
    String error = answer.text("error");
    String description = answer.text("error_description");
    return new FailedException(
        false,
        "the identity provider "
            + what
            + " (it answers "
            + answer.status()
            + (error.isEmpty() ? "" : ", " + error)
            + (description.isEmpty() ? "" : ": " + description)
            + "); ask an admin of the server to look at its settings there",
        null);
  }

  private static URI endpoint(@Nullable String address) {
    if (address == null) {
      throw new FailedException(
          false,
          "the server's identity provider does not let devices log in; ask an admin of the server"
              + " for a token, and set it with: berth config --token TOKEN",
          null);
    }
    URI endpoint = URI.create(address);
    if (!"https".equals(endpoint.getScheme())
        && !LOOPBACK.contains(String.valueOf(endpoint.getHost()))) {
      throw new FailedException(
          false, "the identity provider's address " + endpoint + " is not an https address", null);
    }
    return endpoint;
  }

  private Answer post(HttpClient http, URI address, Map<String, String> form)
      throws IOException, InterruptedException {
    String body =
        form.entrySet().stream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpResponse<String> response =
        whole(
            http,
            HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    try {
      return new Answer(response.statusCode(), MAPPER.readTree(response.body()));
    } catch (JacksonException e) {
      // A page of some proxy, for instance; the status says enough.
      return new Answer(
          response.statusCode() == 200 ? 502 : response.statusCode(), MAPPER.createObjectNode());
    }
  }

  /** A request's own timeout ends with the headers; the body must end, too. */
  private HttpResponse<String> whole(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(
            request,
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofString(), LARGEST_ANSWER));
    try {
      return answer.get(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IOException("no whole answer within " + answerWithin.toSeconds() + " seconds", e);
    } finally {
      answer.cancel(true);
    }
  }
}
