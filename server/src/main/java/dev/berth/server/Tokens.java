package dev.berth.server;

import dev.berth.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Bearer tokens: random, kept by their owners only, and known to the server by their hashes. */
public final class Tokens {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Tokens() {}

  public static String sha256(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The token in a file, which is made on first use. */
  public static String inFile(Path file) throws IOException {
    if (Files.exists(file)) {
      return Files.readString(file).strip();
    }
    String token = random(32);
    PrivateFile.write(file, token + "\n");
    return token;
  }

  /** So many random bytes as text. */
  static String random(int bytes) {
    return HexFormat.of().formatHex(drawn(bytes));
  }

  /** The secret of a new token, which can be told from other words by its beginning. */
  static String newSecret() {
    return "berth_" + Base64.getUrlEncoder().withoutPadding().encodeToString(drawn(32));
  }

  private static byte[] drawn(int bytes) {
    byte[] drawn = new byte[bytes];
    RANDOM.nextBytes(drawn);
    return drawn;
  }
}
