package dev.berth.server.oidc;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A key of an issuer, and the tokens that it signs. Made with the JDK, not with what is tested. */
public record SigningKey(String id, String algorithm, KeyPair pair) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  public static SigningKey rsa(String id) {
    return rsa(id, 2048);
  }

  static SigningKey rsa(String id, int bits) {
    return made(
        id,
        "RS256",
        () -> {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
          generator.initialize(bits);
          return generator;
        });
  }

  static SigningKey curve(String id) {
    return made(
        id,
        "ES256",
        () -> {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
          generator.initialize(new ECGenParameterSpec("secp256r1"));
          return generator;
        });
  }

  static SigningKey edwards(String id) {
    return made(id, "EdDSA", () -> KeyPairGenerator.getInstance("Ed25519"));
  }

  private interface Generator {
    KeyPairGenerator make() throws GeneralSecurityException;
  }

  private static SigningKey made(String id, String algorithm, Generator generator) {
    try {
      return new SigningKey(id, algorithm, generator.make().generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** As the issuer publishes it. */
  JWK published() {
    byte[] encoded = pair.getPublic().getEncoded();
    return switch (algorithm) {
      case "RS256" -> new RSAKey.Builder((RSAPublicKey) pair.getPublic()).keyID(id).build();
      case "ES256" ->
          new ECKey.Builder(Curve.P_256, (ECPublicKey) pair.getPublic()).keyID(id).build();
      default ->
          new OctetKeyPair.Builder(
                  Curve.Ed25519,
                  Base64URL.encode(
                      Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length)))
              .keyID(id)
              .build();
    };
  }

  public String token(Map<String, Object> claims) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", algorithm);
    header.put("kid", id);
    return token(header, claims);
  }

  /** One that is signed by this key, whatever the header says. */
  String token(Map<String, Object> header, Map<String, Object> claims) {
    return compact(header, claims, this::sign);
  }

  interface Signer {
    byte[] sign(byte[] input) throws GeneralSecurityException;
  }

  static String compact(Map<String, Object> header, Map<String, Object> claims, Signer signer) {
    String input =
        Base64URL.encode(MAPPER.writeValueAsString(header))
            + "."
            + Base64URL.encode(MAPPER.writeValueAsString(claims));
    try {
      return input + "." + Base64URL.encode(signer.sign(input.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] sign(byte[] input) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            switch (algorithm) {
              case "RS256" -> "SHA256withRSA";
              case "ES256" -> "SHA256withECDSAinP1363Format";
              default -> "Ed25519";
            });
    signature.initSign(pair.getPrivate());
    signature.update(input);
    return signature.sign();
  }
}
