package dev.berth.catalog.read;

import dev.berth.catalog.AtomicFiles;
import dev.berth.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The last good copy of each downloaded file. A copy and what is known of it change at once: the
 * description is replaced last and names its file by checksum.
 */
final class Copies {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String DESCRIPTION = "copy.json";
  private static final String CONTENT = "[0-9a-f]*.content";

  private final Path folder;
  private final Consumer<String> warnings;

  Copies(Path folder, Consumer<String> warnings) {
    this.folder = folder;
    this.warnings = warnings;
  }

  /**
   * What is known of a copy. Times are milliseconds since 1970.
   *
   * @param version what the publisher calls it
   * @param collectedAt when the publisher made it
   * @param fetchedAt when it was downloaded
   */
  record Description(
      String url,
      @Nullable String etag,
      @Nullable String version,
      long collectedAt,
      long fetchedAt,
      String checksum) {}

  /** A copy that is whole. */
  record Copy(Path content, Description description) {}

  /** A copy that is missing or damaged is no copy; damage is told. */
  Optional<Copy> find(String key) {
    Path description = place(key).resolve(DESCRIPTION);
    if (!Files.exists(description)) {
      return Optional.empty();
    }
    try {
      Description known = JSON.readValue(Files.readAllBytes(description), Description.class);
      Path content = place(key).resolve(known.checksum() + ".content");
      if (checksum(content).equals(known.checksum())) {
        return Optional.of(new Copy(content, known));
      }
      warnings.accept("The copy of " + known.url() + " is damaged and is not used.");
    } catch (IOException | JacksonException e) {
      warnings.accept("The copy in " + place(key) + " cannot be read and is not used: " + e);
    }
    return Optional.empty();
  }

  /** An empty file for a download, on the file system of the copies. */
  Path temporary(String key) throws IOException {
    Files.createDirectories(place(key));
    return Files.createTempFile(place(key), "download-", ".tmp");
  }

  /** Makes a download the copy; the download's file is gone after it. */
  void keep(
      String key,
      Path download,
      String url,
      @Nullable String etag,
      @Nullable String version,
      long collectedAt,
      long fetchedAt)
      throws IOException {
    String checksum = checksum(download);
    Path content = place(key).resolve(checksum + ".content");
    Files.move(
        download, content, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    AtomicFiles.write(
        place(key).resolve(DESCRIPTION),
        JSON.writeValueAsBytes(
            new Description(url, etag, version, collectedAt, fetchedAt, checksum)));
    try (DirectoryStream<Path> older = Files.newDirectoryStream(place(key), CONTENT)) {
      for (Path file : older) {
        if (!file.equals(content)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private Path place(String key) {
    return folder.resolve(Sha256.of(key.getBytes(StandardCharsets.UTF_8)).substring(0, 24));
  }

  private static String checksum(Path file) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return Sha256.end(digest);
  }
}
