package dev.berth.server.ssh;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;

/**
 * A pair of Ed25519 keys as OpenSSH writes them: the public key as one line of an authorized_keys
 * file, the private key as a file without a passphrase.
 */
public record OpenSshKey(String publicKey, String privateKey) {
  private static final String TYPE = "ssh-ed25519";
  private static final String COMMENT = "berth";
  private static final byte[] MAGIC = "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII);
  private static final String BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
  private static final String END = "\n-----END OPENSSH PRIVATE KEY-----\n";
  private static final int KEY_BYTES = 32;

  /** The private part is padded to a multiple of this. */
  private static final int BLOCK = 8;

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(70, "\n".getBytes(StandardCharsets.US_ASCII));

  /** A file that holds no such key. */
  public static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  public static OpenSshKey generate(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(255, random);
      KeyPair pair = generator.generateKeyPair();
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] open = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
      byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
      return new OpenSshKey(line(publicBlob(open)), file(open, seed, random.nextInt()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /**
   * The pair of a private key that {@link #generate} or ssh-keygen wrote.
   *
   * @throws Unreadable without a word of the key
   */
  public static OpenSshKey of(String privateKey) throws Unreadable {
    String text = privateKey.strip() + "\n";
    if (!text.startsWith(BEGIN) || !text.endsWith(END)) {
      throw new Unreadable("it is not a private key of OpenSSH");
    }
    try {
      byte[] bytes =
          Base64.getMimeDecoder()
              .decode(text.substring(BEGIN.length(), text.length() - END.length()));
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      byte[] magic = new byte[MAGIC.length];
      rest.get(magic);
      String cipher = new String(next(rest), StandardCharsets.US_ASCII);
      next(rest);
      next(rest);
      int keys = rest.getInt();
      byte[] blob = next(rest);
      if (!Arrays.equals(magic, MAGIC) || keys != 1) {
        throw new Unreadable("it is not a private key of OpenSSH");
      }
      if (!cipher.equals("none")) {
        throw new Unreadable("it has a passphrase, which Berth does not know");
      }
      if (!new String(next(ByteBuffer.wrap(blob)), StandardCharsets.US_ASCII).equals(TYPE)) {
        throw new Unreadable("it is not an Ed25519 key");
      }
      return new OpenSshKey(line(blob), text);
    } catch (BufferUnderflowException | NegativeArraySizeException | IllegalArgumentException e) {
      throw new Unreadable("it was cut short or changed");
    }
  }

  private static byte[] next(ByteBuffer from) {
    int length = from.getInt();
    if (length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static String line(byte[] blob) {
    return TYPE + " " + Base64.getEncoder().encodeToString(blob) + " " + COMMENT;
  }

  private static byte[] publicBlob(byte[] open) {
    return written(
        out -> {
          string(out, TYPE);
          string(out, open);
        });
  }

  /** As in PROTOCOL.key of OpenSSH. */
  private static String file(byte[] open, byte[] seed, int check) {
    byte[] secret =
        written(
            out -> {
              // Twice the same, so that a wrong passphrase would be noticed.
              out.writeInt(check);
              out.writeInt(check);
              string(out, TYPE);
              string(out, open);
              string(out, ByteBuffer.allocate(2 * KEY_BYTES).put(seed).put(open).array());
              string(out, COMMENT);
              for (int pad = 1; out.size() % BLOCK != 0; pad++) {
                out.writeByte(pad);
              }
            });
    byte[] whole =
        written(
            out -> {
              out.write(MAGIC);
              string(out, "none");
              string(out, "none");
              string(out, "");
              out.writeInt(1);
              string(out, publicBlob(open));
              string(out, secret);
            });
    return BEGIN + LINES.encodeToString(whole) + END;
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] written(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static void string(DataOutputStream out, String text) throws IOException {
    string(out, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void string(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Nothing that is secret. */
  @Override
  public String toString() {
    return publicKey;
  }
}
