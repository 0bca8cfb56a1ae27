package dev.berth.server;

import dev.berth.model.config.ServerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The keys of a server: those of its file, and that of a file in its home, which is made where
 * there is no other.
 */
public final class ServerKeys {
  private static final String NAME = "secrets.key";

  private ServerKeys() {}

  /** The file in a home that has the key which was made for it. */
  static Path file(Path home) {
    return home.resolve("server").resolve(NAME);
  }

  /** The keys that are there; empty where there are none. */
  public static Optional<Keyring> find(ServerConfiguration configuration, Path home)
      throws IOException {
    List<Keyring.Key> keys = new ArrayList<>();
    ServerConfiguration.Encryption encryption = configuration.encryption();
    if (encryption != null) {
      encryption.keys().forEach(key -> keys.add(key(key)));
    }
    Path file = file(home);
    if (Files.exists(file)) {
      keys.add(inFile(file));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new Keyring(keys, new SecureRandom()));
  }

  /** Makes a key in the home, which had none. */
  static Keyring make(Path home) throws IOException {
    Path file = file(home);
    PrivateFile.write(file, Tokens.random(Keyring.Key.BYTES) + "\n");
    return new Keyring(List.of(inFile(file)), new SecureRandom());
  }

  private static Keyring.Key key(ServerConfiguration.EncryptionKey key) {
    return switch (key.type()) {
      case IDENTITY -> Keyring.Key.identity();
      // The file's reader saw to it that there is one, of the right length.
      case AES -> Keyring.Key.aes(Base64.getDecoder().decode(String.valueOf(key.secret()).strip()));
    };
  }

  private static Keyring.Key inFile(Path file) throws IOException {
    try {
      return Keyring.Key.aes(HexFormat.of().parseHex(Files.readString(file).strip()));
    } catch (IllegalArgumentException e) {
      // What stands there is or was a key, so it is not shown.
      throw new IOException(
          "The key in " + file + " is not one: it has 64 hexadecimal digits. Put it back.");
    }
  }
}
