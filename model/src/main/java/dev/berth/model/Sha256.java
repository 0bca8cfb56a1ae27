package dev.berth.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The name that bytes have by their content: 64 hexadecimal digits. */
public final class Sha256 {
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  public static boolean isDigest(String text) {
    return DIGITS.matcher(text).matches();
  }

  /** Says no to what is no digest, before it becomes part of a path. */
  public static String require(String text) {
    if (!isDigest(text)) {
      throw new IllegalArgumentException("a SHA-256 is 64 hexadecimal digits, in small letters");
    }
    return text;
  }

  public static String of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  public static String of(byte[] bytes, int offset, int length) {
    MessageDigest digest = begin();
    digest.update(bytes, offset, length);
    return end(digest);
  }

  /** Begins the digest of bytes that come in pieces. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static String end(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
