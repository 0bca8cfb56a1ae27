package dev.berth.server;

import dev.berth.model.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that secrets are kept under: the first one encrypts, each of them decrypts.
 *
 * <p>What is sealed is a text, {@code v1:KEY:DATA}: the id of the key, and a fresh nonce with the
 * value under AES-256-GCM in base64. The id, and whose value it is, are authenticated with it, so
 * that a value which somebody moved to another name does not open. Safe for any thread.
 */
public final class Keyring {
  private static final String VERSION = "v1";
  private static final String IDENTITY = "identity";
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;
  private static final int ID_LENGTH = 16;

  private final Map<String, Key> keys = new LinkedHashMap<>();
  private final Key first;
  private final SecureRandom random;

  /**
   * A key with the id that sealed values name it by.
   *
   * @param bytes null for the one that stores values as they are
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never printed
  record Key(String id, byte @Nullable [] bytes) {
    static final int BYTES = 32;

    static Key identity() {
      return new Key(IDENTITY, null);
    }

    /** One whose id follows from its bytes, so that two keys never share one. */
    static Key aes(byte[] bytes) {
      if (bytes.length != BYTES) {
        throw new IllegalArgumentException("a key has " + BYTES + " bytes");
      }
      String id = HexFormat.of().formatHex(hmac(bytes, "berth key id"));
      return new Key(id.substring(0, ID_LENGTH), bytes.clone());
    }

    @Override
    public String toString() {
      return "Key[" + id + "]";
    }
  }

  /** A value that cannot be read: its key is not here, or it is not what was sealed. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  Keyring(List<Key> keys, SecureRandom random) {
    keys.forEach(key -> this.keys.putIfAbsent(key.id(), key));
    this.first = keys.getFirst();
    this.random = random;
  }

  /** The id of the key that encrypts. */
  String firstId() {
    return first.id();
  }

  /**
   * Encrypts a value.
   *
   * @param about whose value it is; must be the same when it is opened
   */
  String seal(String value, String... about) {
    byte[] plain = value.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = first.bytes();
    return String.join(
        ":",
        VERSION,
        first.id(),
        Base64.getEncoder().encodeToString(bytes == null ? plain : encrypted(bytes, plain, about)));
  }

  private byte[] encrypted(byte[] key, byte[] plain, String... about) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      byte[] data = cipher(Cipher.ENCRYPT_MODE, key, nonce, first.id(), about).doFinal(plain);
      return ByteBuffer.allocate(NONCE + data.length).put(nonce).put(data).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  /**
   * Decrypts a value.
   *
   * @throws Unreadable without a word of the value
   */
  Secret open(String sealed, String... about) {
    String[] parts = sealed.split(":", -1);
    if (parts.length != 3 || !parts[0].equals(VERSION)) {
      throw new Unreadable("it is not in a form that this version knows");
    }
    Key key = keys.get(parts[1]);
    if (key == null) {
      throw new Unreadable("it needs the key " + parts[1] + ", which this server does not have");
    }
    try {
      byte[] data = Base64.getDecoder().decode(parts[2]);
      byte[] bytes = key.bytes();
      if (bytes == null) {
        return Secret.of(new String(data, StandardCharsets.UTF_8));
      }
      if (data.length < NONCE) {
        throw new Unreadable("it was cut short");
      }
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, bytes, Arrays.copyOf(data, NONCE), key.id(), about)
              .doFinal(data, NONCE, data.length - NONCE);
      return Secret.of(new String(plain, StandardCharsets.UTF_8));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Unreadable("it was changed, or belongs to another name");
    }
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce, String id, String... about)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(
        (VERSION + "\0" + id + "\0" + String.join("\0", about)).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** Whether a sealed value is under the key that encrypts. */
  boolean isCurrent(String sealed) {
    return sealed.startsWith(VERSION + ":" + first.id() + ":");
  }

  /** Whether a sealed value is under one of the keys. */
  boolean knows(String sealed) {
    return keys.containsKey(keyOf(sealed));
  }

  /** The id of the key that a sealed value is under. */
  static String keyOf(String sealed) {
    String[] parts = sealed.split(":", -1);
    return parts.length == 3 ? parts[1] : "";
  }

  /**
   * What tells whether two values are the same, and says nothing of them to whoever has no key.
   * Empty where values are stored as they are: then nothing more is told of them.
   */
  String fingerprint(String value) {
    byte[] bytes = first.bytes();
    return bytes == null ? "" : HexFormat.of().formatHex(hmac(bytes, "fingerprint\0" + value));
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
