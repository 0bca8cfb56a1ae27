package dev.berth.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bearer tokens: random, kept as files that only their owner reads, and compared by hash. */
public final class Tokens {
  private Tokens() {}

  public static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
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
    byte[] drawn = new byte[bytes];
    new SecureRandom().nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }

  static boolean matches(@Nullable String authorization, String expectedHash) {
    String prefix = "Bearer ";
    if (authorization == null || !authorization.startsWith(prefix)) {
      return false;
    }
    String given = sha256(authorization.substring(prefix.length()).strip());
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expectedHash.getBytes(StandardCharsets.UTF_8));
  }
}
