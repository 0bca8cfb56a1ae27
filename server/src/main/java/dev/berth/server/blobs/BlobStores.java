package dev.berth.server.blobs;

import dev.berth.model.Secret;
import dev.berth.model.config.ServerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens the store that a server's file names. */
public final class BlobStores {
  private BlobStores() {}

  /**
   * Opens it.
   *
   * @param written null for a folder in the server's home
   * @param data the server's own folder
   */
  public static BlobStore open(
      ServerConfiguration.@Nullable Blobs written,
      Map<String, String> environment,
      Path data,
      InstantSource clock) {
    ServerConfiguration.S3 s3 = written == null ? null : written.s3();
    if (s3 != null) {
      return S3BlobStore.open(settings(s3, environment), data.resolve("blobs-in-transit"), clock);
    }
    String folder = written == null ? null : written.folder();
    return FolderBlobStore.open(folder == null ? data.resolve("blobs") : Path.of(folder), clock);
  }

  private static S3Settings settings(ServerConfiguration.S3 s3, Map<String, String> environment) {
    String key = s3.accessKey();
    Secret secret = null;
    if (key != null) {
      String file = s3.secretKeyFile();
      String given = environment.get("AWS_SECRET_ACCESS_KEY");
      if (file == null && given == null) {
        throw new BlobException(
            BlobException.Code.CANNOT_OPEN,
            "blobs.s3 has an access-key but no secret: name a file with secret-key-file, or set"
                + " AWS_SECRET_ACCESS_KEY",
            null);
      }
      secret = file != null ? secretIn(Path.of(file)) : Secret.of(Objects.requireNonNull(given));
    }
    return new S3Settings(
        s3.bucket(),
        Objects.requireNonNullElse(s3.prefix(), ""),
        s3.region(),
        s3.endpoint(),
        Boolean.TRUE.equals(s3.pathStyle()),
        key,
        secret);
  }

  private static Secret secretIn(Path file) {
    try {
      String line = Files.readString(file).lines().findFirst().orElse("").strip();
      if (line.isEmpty()) {
        throw new BlobException(
            BlobException.Code.CANNOT_OPEN, file + " is empty; its first line is the secret", null);
      }
      return Secret.of(line);
    } catch (IOException e) {
      throw new BlobException(
          BlobException.Code.CANNOT_OPEN, file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
