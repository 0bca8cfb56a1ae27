package dev.berth.server.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shows the receiver of a webhook that it comes from us, as Standard Webhooks has it. */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  /** Secrets that begin so are written in base64. */
  private static final String ENCODED = "whsec_";

  private Signature() {}

  /** The value of the header {@code webhook-signature}. */
  static String of(String secret, String id, long timestamp, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key(secret), ALGORITHM));
      byte[] signed =
          mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static byte[] key(String secret) {
    return secret.startsWith(ENCODED)
        ? Base64.getDecoder().decode(secret.substring(ENCODED.length()))
        : secret.getBytes(StandardCharsets.UTF_8);
  }
}
