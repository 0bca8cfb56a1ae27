package dev.berth.acceptance;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** Output that a careless reader would spoil, and how two outputs are compared. */
final class OutputBytes {
  private static final int LONG_LINE = 40 * 1024;

  private OutputBytes() {}

  /**
   * Random bytes, among them NUL, carriage returns and broken UTF-8, then lines of 40 KB, the last
   * one without its end.
   */
  static byte[] hard(SplittableRandom random, int randomBytes, int longLines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] noise = new byte[randomBytes];
    random.nextBytes(noise);
    bytes.writeBytes(noise);
    for (int line = 0; line < longLines; line++) {
      for (int column = 0; column < LONG_LINE; column++) {
        bytes.write('a' + random.nextInt(26));
      }
      bytes.write('\n');
    }
    bytes.writeBytes(new byte[] {'n', 'o', ' ', 'e', 'n', 'd'});
    return bytes.toByteArray();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
