package dev.berth.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which ID tokens are believed. */
class IdTokensTest {
  private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
  private static final SigningKey RSA = SigningKey.rsa("rsa");
  private static final SigningKey CURVE = SigningKey.curve("curve");
  private static final SigningKey EDWARDS = SigningKey.edwards("edwards");

  private Instant now = NOON;

  @SuppressWarnings("NullAway.Init") // set before each test
  private TestIssuer issuer;

  @SuppressWarnings("NullAway.Init") // set before each test
  private IdTokens tokens;

  @BeforeEach
  void start() throws IOException {
    issuer = new TestIssuer(RSA, CURVE, EDWARDS);
    tokens = new IdTokens(new Issuer(issuer.name(), () -> now), "berth", () -> now);
  }

  @AfterEach
  void stop() {
    issuer.close();
  }

  private Map<String, Object> claims() {
    return issuer.claims("ann@example.com", NOON.getEpochSecond());
  }

  private Map<String, Object> claims(Consumer<Map<String, Object>> change) {
    Map<String, Object> claims = claims();
    change.accept(claims);
    return claims;
  }

  private void assertRefused(String part, String token) {
    assertThatThrownBy(() -> tokens.claims(token))
        .isInstanceOfSatisfying(
            LoginRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(LoginRefusedException.Reason.TOKEN))
        .hasMessageContaining(part);
  }

  private void assertRefused(String part, Consumer<Map<String, Object>> change) {
    assertRefused(part, RSA.token(claims(change)));
  }

  @Test
  void aTokenOfEachKindOfKeyIsBelieved() {
    for (SigningKey key : List.of(RSA, CURVE, EDWARDS)) {
      assertThat(tokens.claims(key.token(claims())))
          .as(key.algorithm())
          .containsEntry("email", "ann@example.com");
    }
    Map<String, Object> header = Map.of("alg", "Ed25519", "kid", "edwards");
    assertThat(tokens.claims(EDWARDS.token(header, claims()))).isNotEmpty();
    assertThat(issuer.keyFetches()).isEqualTo(1);
    assertThat(issuer.discoveries()).isEqualTo(1);
  }

  @Test
  void aTokenThatNamesNoKeyIsTriedWithAll() {
    assertThat(tokens.claims(CURVE.token(Map.of("alg", "ES256"), claims()))).isNotEmpty();
    assertRefused(
        "none of the issuer's keys",
        SigningKey.curve("other").token(Map.of("alg", "ES256"), claims()));
  }

  @Test
  void anythingChangedAfterSigningIsNoticed() {
    for (SigningKey key : List.of(RSA, CURVE, EDWARDS)) {
      String[] mine = key.token(claims()).split("\\.", -1);
      String[] other =
          key.token(claims(claims -> claims.put("email", "ben@example.com"))).split("\\.", -1);
      assertRefused("none of the issuer's keys", mine[0] + "." + other[1] + "." + mine[2]);
      SigningKey stranger =
          switch (key.algorithm()) {
            case "RS256" -> SigningKey.rsa(key.id());
            case "ES256" -> SigningKey.curve(key.id());
            default -> SigningKey.edwards(key.id());
          };
      assertRefused("none of the issuer's keys", stranger.token(claims()));
    }
  }

  @Test
  void whatIsNotSignedIsNotBelieved() {
    Map<String, Object> none = Map.of("alg", "none");
    assertRefused("not a signed JWT", SigningKey.compact(none, claims(), _ -> new byte[0]));
    assertRefused(
        "not a signed JWT",
        SigningKey.compact(Map.of("alg", "none", "kid", "rsa"), claims(), _ -> new byte[0]));
    String[] parts = RSA.token(claims()).split("\\.", -1);
    assertRefused("", parts[0] + "." + parts[1] + ".");
    assertRefused("not a signed JWT", parts[0] + "." + parts[1]);
    for (String text : List.of("", "a", "a.b.c", "....", "{}", "é.é.é")) {
      assertRefused("not a signed JWT", text);
    }
  }

  @Test
  void aPublicKeyIsNeverASharedSecret() {
    List<byte[]> secrets =
        List.of(
            RSA.pair().getPublic().getEncoded(),
            RSA.published().toJSONString().getBytes(StandardCharsets.UTF_8));
    for (byte[] secret : secrets) {
      String token =
          SigningKey.compact(
              Map.of("alg", "HS256", "kid", "rsa"),
              claims(),
              input -> {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(secret, "HmacSHA256"));
                return mac.doFinal(input);
              });
      assertRefused("its algorithm", token);
    }
  }

  @Test
  void theAlgorithmMustFitTheKey() {
    assertRefused("no such key", RSA.token(Map.of("alg", "ES256", "kid", "rsa"), claims()));
    assertRefused("its algorithm", RSA.token(Map.of("alg", "RS512", "kid", "rsa"), claims()));
    assertRefused("its algorithm", RSA.token(Map.of("alg", "PS256", "kid", "rsa"), claims()));
  }

  @Test
  void aShortKeyIsNotUsed() {
    SigningKey small = SigningKey.rsa("small", 1024);
    issuer.rotate(small);
    assertRefused("no such key", small.token(claims()));
  }

  @Test
  void demandsThatNobodyKnowsAreRefused() {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", "RS256");
    header.put("kid", "rsa");
    header.put("crit", List.of("b64"));
    header.put("b64", true);
    assertRefused("crit", RSA.token(header, claims()));
  }

  @Test
  void aTokenIsForUsAndFromTheIssuer() {
    assertRefused("another issuer", claims -> claims.put("iss", issuer.name() + "/"));
    assertRefused("another issuer", claims -> claims.remove("iss"));
    assertRefused("another client", claims -> claims.put("aud", "other"));
    assertRefused("another client", claims -> claims.put("aud", List.of()));
    assertRefused("another client", claims -> claims.remove("aud"));
    assertRefused("azp", claims -> claims.put("aud", List.of("berth", "other")));
    assertRefused("azp", claims -> claims.put("azp", "other"));
    assertRefused("no subject", claims -> claims.remove("sub"));
    assertThat(
            tokens.claims(
                RSA.token(
                    claims(
                        claims -> {
                          claims.put("aud", List.of("other", "berth"));
                          claims.put("azp", "berth");
                        }))))
        .isNotEmpty();
  }

  @Test
  void aTokenHoldsInItsTimeAndAMinuteAround() {
    long noon = NOON.getEpochSecond();
    assertRefused("expired", claims -> claims.put("exp", noon - 60));
    assertRefused("expired", claims -> claims.remove("exp"));
    assertRefused("in the future", claims -> claims.put("iat", noon + 61));
    assertRefused("in the future", claims -> claims.remove("iat"));
    assertRefused("not valid yet", claims -> claims.put("nbf", noon + 61));
    assertThat(
            tokens.claims(
                RSA.token(
                    claims(
                        claims -> {
                          claims.put("exp", noon - 59);
                          claims.put("iat", noon + 60);
                          claims.put("nbf", noon + 60);
                        }))))
        .isNotEmpty();
    assertRefused("not a signed JWT", claims -> claims.put("exp", "tomorrow"));
  }

  @Test
  void anOversizedTokenIsNotLookedAt() {
    assertRefused("characters", claims -> claims.put("more", "x".repeat(IdTokens.LONGEST)));
    assertThat(issuer.discoveries()).isZero();
  }

  @Test
  void aNewKeyIsFetchedButNotMoreThanOnceAMinute() {
    tokens.claims(RSA.token(claims()));
    SigningKey next = SigningKey.rsa("next");
    issuer.rotate(next);
    now = NOON.plusSeconds(59);
    assertRefused("no such key", next.token(claims()));
    assertThat(issuer.keyFetches()).isEqualTo(1);
    now = NOON.plusSeconds(60);
    assertThat(tokens.claims(next.token(claims()))).isNotEmpty();
    assertThat(issuer.keyFetches()).isEqualTo(2);
    // The old one is gone with that.
    assertRefused("no such key", RSA.token(claims()));
    for (int i = 0; i < 20; i++) {
      assertRefused("no such key", SigningKey.edwards("none-" + i).token(claims()));
    }
    assertThat(issuer.keyFetches()).isEqualTo(2);
  }

  @Test
  void aKeyThatWasWithdrawnEndsWithinAnHour() {
    tokens.claims(RSA.token(claims()));
    issuer.rotate(CURVE);
    now = NOON.plus(Duration.ofMinutes(60));
    assertRefused("no such key", RSA.token(claims(claims -> claims.put("exp", 1L << 33))));
    assertThat(issuer.discoveries()).isEqualTo(2);
  }

  @Test
  void anIssuerThatIsDownIsAskedAgainAfterSomeSeconds() {
    issuer.down(true);
    String token = RSA.token(claims());
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> tokens.claims(token))
          .isInstanceOf(IssuerUnavailableException.class)
          .hasMessageContaining("answers 500");
    }
    assertThat(issuer.discoveries()).isEqualTo(1);
    issuer.down(false);
    now = NOON.plusSeconds(5);
    assertThat(tokens.claims(token)).isNotEmpty();
  }

  @Test
  void anIssuerSpeaksForItselfAndOverTls() {
    issuer.describe("issuer", "https://login.example.com");
    assertThatThrownBy(() -> tokens.claims(RSA.token(claims())))
        .isInstanceOf(IssuerUnavailableException.class)
        .hasMessageContaining("write it so in the server's file");
    now = NOON.plusSeconds(5);
    issuer.describe("issuer", issuer.name());
    issuer.describe("token_endpoint", "http://login.example.com/token");
    assertThatThrownBy(() -> tokens.claims(RSA.token(claims())))
        .isInstanceOf(IssuerUnavailableException.class)
        .hasMessageContaining("token_endpoint is not an https address");
  }
}
