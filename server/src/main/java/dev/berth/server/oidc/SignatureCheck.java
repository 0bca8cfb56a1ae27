package dev.berth.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;

/**
 * Tells whether one of an issuer's public keys made a signature. The kind of the key decides which
 * algorithm may be used with it, never the token alone, so that a public key is never taken for a
 * shared secret.
 */
final class SignatureCheck {
  private static final int FEWEST_RSA_BITS = 2048;

  /** What stands before the 32 bytes of an Ed25519 key in X.509. */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final int ED25519_BYTES = 32;

  private SignatureCheck() {}

  /** Whether the algorithm is one that anybody may use here. */
  static boolean isKnown(JWSAlgorithm algorithm) {
    return algorithm.equals(JWSAlgorithm.RS256)
        || algorithm.equals(JWSAlgorithm.ES256)
        || isEdwards(algorithm);
  }

  private static boolean isEdwards(JWSAlgorithm algorithm) {
    return algorithm.equals(JWSAlgorithm.EdDSA) || algorithm.equals(JWSAlgorithm.Ed25519);
  }

  /** The keys that may have signed: of the named id, or all where the token names none. */
  static List<JWK> candidates(JWKSet keys, JWSHeader header) {
    return keys.getKeys().stream()
        .filter(key -> header.getKeyID() == null || header.getKeyID().equals(key.getKeyID()))
        .filter(key -> fits(key, header.getAlgorithm()))
        .toList();
  }

  private static boolean fits(JWK key, JWSAlgorithm algorithm) {
    boolean meant =
        (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
            && (key.getAlgorithm() == null
                || key.getAlgorithm().getName().equals(algorithm.getName()));
    return meant
        && switch (key) {
          case RSAKey rsa -> algorithm.equals(JWSAlgorithm.RS256) && rsa.size() >= FEWEST_RSA_BITS;
          case ECKey curve ->
              algorithm.equals(JWSAlgorithm.ES256) && curve.getCurve().equals(Curve.P_256);
          case OctetKeyPair pair -> isEdwards(algorithm) && pair.getCurve().equals(Curve.Ed25519);
          default -> false;
        };
  }

  static boolean isSignedBy(SignedJWT token, JWK key) {
    try {
      return switch (key) {
        case RSAKey rsa -> token.verify(new RSASSAVerifier(rsa));
        case ECKey curve -> token.verify(new ECDSAVerifier(curve));
        case OctetKeyPair pair -> isSignedByEd25519(token, pair);
        default -> false;
      };
    } catch (JOSEException | GeneralSecurityException | IllegalStateException e) {
      System.getLogger(SignatureCheck.class.getName())
          .log(System.Logger.Level.DEBUG, "A signature could not be checked", e);
      return false;
    }
  }

  /** By the JDK, because the library would need another library for it. */
  private static boolean isSignedByEd25519(SignedJWT token, OctetKeyPair pair)
      throws GeneralSecurityException {
    byte[] point = pair.getX().decode();
    if (point.length != ED25519_BYTES) {
      return false;
    }
    byte[] encoded = new byte[ED25519_PREFIX.length + ED25519_BYTES];
    System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
    System.arraycopy(point, 0, encoded, ED25519_PREFIX.length, ED25519_BYTES);
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
    signature.update(token.getSigningInput());
    return signature.verify(token.getSignature().decode());
  }
}
