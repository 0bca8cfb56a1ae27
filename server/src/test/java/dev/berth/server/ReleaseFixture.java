package dev.berth.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The home of a server of an earlier release that was killed in the middle of its work, and what
 * that server last said. How it was made: docs/development/release-fixtures.md.
 *
 * @param home where it was unpacked
 * @param expected what is known of it
 */
record ReleaseFixture(Path home, JsonNode expected) {
  /** Stands for the home folder in the files. */
  private static final String HOME = "@HOME@";

  /**
   * Unpacks one.
   *
   * @param database {@code sqlite} or {@code postgres}
   * @param home becomes the home folder
   */
  static ReleaseFixture unpack(String release, String database, Path home) throws IOException {
    String name = "releases/" + release + "/" + database;
    try (ZipInputStream zip = new ZipInputStream(resource(name + ".zip"));
        InputStream expected = resource(name + ".json")) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        unpack(entry, zip.readAllBytes(), home);
      }
      return new ReleaseFixture(home, ApiJson.MAPPER.readTree(expected));
    }
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(ReleaseFixture.class.getResourceAsStream(name), name);
  }

  private static void unpack(ZipEntry entry, byte[] bytes, Path home) throws IOException {
    Path file = home.resolve(entry.getName());
    if (entry.isDirectory()) {
      Files.createDirectories(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return;
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Files.write(
        file,
        text.contains(HOME)
            ? text.replace(HOME, home.toString()).getBytes(StandardCharsets.UTF_8)
            : bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.setLastModifiedTime(file, entry.getLastModifiedTime());
  }

  /** Loads the dump of the database into an empty one. */
  void load(DataSource database) throws IOException, SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(home.resolve("database.sql")));
    }
  }

  String token(String user) {
    return expected.get("tokens").get(user).asString();
  }

  /** The events, each in a line. */
  List<String> events() {
    return expected.get("events").valueStream().map(JsonNode::asString).toList();
  }

  /** The runs that had ended, as the API showed them. */
  List<JsonNode> endedRuns() {
    return expected.get("ended_runs").valueStream().toList();
  }

  /**
   * Where an answer of today differs from an earlier one; null where it does not. What was added
   * since is no difference.
   */
  static @Nullable String difference(String path, JsonNode before, JsonNode now) {
    if (before.isObject()) {
      return before
          .propertyStream()
          .map(
              field ->
                  difference(
                      path + "." + field.getKey(), field.getValue(), now.path(field.getKey())))
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    }
    if (before.isArray() && before.size() == now.size()) {
      for (int i = 0; i < before.size(); i++) {
        String found = difference(path + "[" + i + "]", before.get(i), now.get(i));
        if (found != null) {
          return found;
        }
      }
      return null;
    }
    return before.equals(now) ? null : path + " was " + before + " and is " + now;
  }
}
