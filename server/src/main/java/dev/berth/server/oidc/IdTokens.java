package dev.berth.server.oidc;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks ID tokens: that the issuer made them, for us, and that they hold now. */
public final class IdTokens {
  /** So much may the clocks differ. */
  static final Duration SKEW = Duration.ofSeconds(60);

  /** Longer ones are not looked at. */
  static final int LONGEST = 16 * 1024;

  private final Issuer issuer;
  private final String clientId;
  private final InstantSource clock;

  public IdTokens(Issuer issuer, String clientId, InstantSource clock) {
    this.issuer = issuer;
    this.clientId = clientId;
    this.clock = clock;
  }

  /**
   * What a token says of its owner.
   *
   * @throws LoginRefusedException where it proves nothing
   * @throws IssuerUnavailableException where it cannot be checked now
   */
  public Map<String, Object> claims(String text) {
    if (text.length() > LONGEST) {
      throw LoginRefusedException.token("it has more than " + LONGEST + " characters");
    }
    SignedJWT token;
    JWTClaimsSet claims;
    try {
      token = SignedJWT.parse(text);
      claims = token.getJWTClaimsSet();
    } catch (ParseException | IllegalArgumentException e) {
      // The library's words may repeat the token.
      throw LoginRefusedException.token("it is not a signed JWT");
    }
    requireSignature(token);
    requireForUs(claims);
    requireNow(claims);
    return claims.getClaims();
  }

  private void requireSignature(SignedJWT token) {
    JWSHeader header = token.getHeader();
    if (!SignatureCheck.isKnown(header.getAlgorithm())) {
      throw LoginRefusedException.token("its algorithm is none of RS256, ES256 and EdDSA");
    }
    if (header.getCriticalParams() != null && !header.getCriticalParams().isEmpty()) {
      throw LoginRefusedException.token("it has an unsupported critical header (crit)");
    }
    List<JWK> candidates = SignatureCheck.candidates(issuer.keys(), header);
    if (candidates.isEmpty()) {
      // Issuers change their keys from time to time, without telling anybody.
      JWKSet now =
          issuer
              .renewedKeys()
              .orElseThrow(() -> LoginRefusedException.token("the issuer has no such key"));
      candidates = SignatureCheck.candidates(now, header);
    }
    if (candidates.stream().noneMatch(key -> SignatureCheck.isSignedBy(token, key))) {
      throw LoginRefusedException.token("its signature matches none of the issuer's keys");
    }
  }

  private void requireForUs(JWTClaimsSet claims) {
    if (!issuer.name().equals(claims.getIssuer())) {
      throw LoginRefusedException.token("it was issued by another issuer");
    }
    List<String> audience = claims.getAudience();
    if (!audience.contains(clientId)) {
      throw LoginRefusedException.token("it is for another client");
    }
    Object party = claims.getClaim("azp");
    if (party == null ? audience.size() > 1 : !party.equals(clientId)) {
      throw LoginRefusedException.token("it was given to another client (azp)");
    }
    if (Objects.requireNonNullElse(claims.getSubject(), "").isEmpty()) {
      throw LoginRefusedException.token("it has no subject");
    }
  }

  private void requireNow(JWTClaimsSet claims) {
    Instant now = clock.instant();
    Date expires = claims.getExpirationTime();
    if (expires == null || !now.isBefore(expires.toInstant().plus(SKEW))) {
      throw LoginRefusedException.token("it has expired, or does not say when it does");
    }
    Date made = claims.getIssueTime();
    if (made == null || made.toInstant().isAfter(now.plus(SKEW))) {
      throw LoginRefusedException.token("it was issued in the future, or does not say when");
    }
    Date from = claims.getNotBeforeTime();
    if (from != null && from.toInstant().isAfter(now.plus(SKEW))) {
      throw LoginRefusedException.token("it is not valid yet");
    }
  }
}
