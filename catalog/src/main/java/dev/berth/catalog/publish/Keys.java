package dev.berth.catalog.publish;

import dev.berth.catalog.AtomicFiles;
import dev.berth.catalog.CatalogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** The keys that sign a catalog: Ed25519, in PEM text as other tools read it. */
public final class Keys {
  private static final String ALGORITHM = "Ed25519";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";

  private Keys() {}

  /**
   * The key pair of a file. Where there is no file, a new pair is made and written so that only the
   * owner can read it.
   */
  public static KeyPair loadOrCreate(Path file) {
    try {
      if (!Files.exists(file)) {
        KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        String text = pem(PRIVATE, pair.getPrivate().getEncoded()) + publicText(pair.getPublic());
        AtomicFiles.writePrivately(file, text.getBytes(StandardCharsets.US_ASCII));
      }
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
      PrivateKey secret =
          factory.generatePrivate(new PKCS8EncodedKeySpec(block(text, PRIVATE, file.toString())));
      return new KeyPair(readPublic(text, file.toString()), secret);
    } catch (IOException e) {
      throw new CatalogException("The signing key " + file + " cannot be read or written: " + e, e);
    } catch (GeneralSecurityException e) {
      throw new CatalogException(file + " holds no Ed25519 key: " + e.getMessage(), e);
    }
  }

  /** The public key of a file such as the one that a published catalog has beside it. */
  public static PublicKey loadPublic(Path file) {
    try {
      return readPublic(Files.readString(file, StandardCharsets.US_ASCII), file.toString());
    } catch (IOException e) {
      throw new CatalogException("The public key " + file + " cannot be read: " + e, e);
    } catch (GeneralSecurityException e) {
      throw new CatalogException(file + " holds no Ed25519 key: " + e.getMessage(), e);
    }
  }

  static String publicText(PublicKey key) {
    return pem(PUBLIC, key.getEncoded());
  }

  static byte[] sign(byte[] bytes, PrivateKey key) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(bytes);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new CatalogException("The catalog cannot be signed: " + e.getMessage(), e);
    }
  }

  static boolean verifies(byte[] bytes, byte[] signed, PublicKey key)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(ALGORITHM);
    signature.initVerify(key);
    signature.update(bytes);
    return signature.verify(signed);
  }

  private static PublicKey readPublic(String text, String file) throws GeneralSecurityException {
    return KeyFactory.getInstance(ALGORITHM)
        .generatePublic(new X509EncodedKeySpec(block(text, PUBLIC, file)));
  }

  private static String pem(String kind, byte[] encoded) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  private static byte[] block(String text, String kind, String file) {
    String begin = "-----BEGIN " + kind + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + kind + "-----");
    if (from < 0 || to < from) {
      throw new CatalogException(file + " has no block \"" + kind + "\"");
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw new CatalogException(file + ": the block \"" + kind + "\" is damaged", e);
    }
  }
}
