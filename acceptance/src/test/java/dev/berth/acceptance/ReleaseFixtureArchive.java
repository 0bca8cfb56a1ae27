package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Packs the home of a server that was killed, with what the server said shortly before. */
final class ReleaseFixtureArchive {
  /** Stands for the home folder in files; whoever unpacks them puts the new one in. */
  private static final String HOME = "@HOME@";

  /** A boot that no machine ever had, so that it is another one wherever the fixture is opened. */
  private static final String BOOT = "00000000-0000-4000-8000-000000000000";

  /** Made anew at each start, or of no use to anybody but the machine that made them. */
  private static final Set<String> LEFT_OUT =
      Set.of("berth.db-shm", "berth.db-wal", "berth.db.lock", "cloud.lock");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build();

  private final Path home;
  private final Map<String, Object> expected;

  private ReleaseFixtureArchive(Path home, Map<String, Object> expected) {
    this.home = home;
    this.expected = expected;
  }

  /** Writes down what the server says of what will not change any more. */
  static ReleaseFixtureArchive of(TestHome home, BerthClient client, Map<String, String> tokens) {
    List<RunDetail> ended = new ArrayList<>();
    Map<String, String> active = new TreeMap<>();
    for (String project : List.of("main", "team")) {
      for (RunView run : client.list(project, true, 1000, null).runs()) {
        if (run.finishedAt() != null) {
          ended.add(client.get(project, run.id()));
        } else {
          active.put(run.name(), run.id() + " " + run.status());
        }
      }
    }
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("tokens", tokens);
    expected.put("active_runs", active);
    expected.put("ended_runs", ended);
    expected.put("events", events(client));
    return new ReleaseFixtureArchive(home.folder(), expected);
  }

  private static List<String> events(BerthClient client) {
    return client.allEvents(0, 1000, 0).events().stream().map(ReleaseFixtureArchive::line).toList();
  }

  private static String line(EventView event) {
    return "%d %s %s %s %s %s"
        .formatted(
            event.seq(),
            event.at(),
            event.kind(),
            event.entityKind(),
            event.entityId(),
            event.actor());
  }

  /**
   * Writes the archive and what to expect of it to the tests of the server.
   *
   * @param database null where the database is a file of the home
   */
  void write(String name, @Nullable DataSource database) throws IOException, SQLException {
    String release = System.getProperty("berth.fixture.release", "next");
    Path folder =
        Distribution.root().resolve("server/src/test/resources/dev/berth/server/releases");
    folder = Files.createDirectories(folder.resolve(release));
    if (database == null) {
      try (Connection connection =
          DriverManager.getConnection("jdbc:sqlite:" + home.resolve("server/berth.db"))) {
        compact(connection);
        requireStates(connection);
      }
    } else {
      try (Connection connection = database.getConnection()) {
        requireStates(connection);
      }
      Files.writeString(home.resolve("database.sql"), PostgresDump.of(database));
    }
    Files.write(folder.resolve(name + ".json"), MAPPER.writeValueAsBytes(expected));
    try (OutputStream out = Files.newOutputStream(folder.resolve(name + ".zip"));
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted().filter(path -> !path.equals(home)).toList()) {
        if (!LEFT_OUT.contains(file.getFileName().toString())) {
          add(zip, file);
        }
      }
    }
  }

  /** Takes what stands beside the file into it, and leaves out what is free. */
  private static void compact(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      statement.execute("VACUUM");
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /** Whether the server died at the right moment, which a slow machine may have missed. */
  private static void requireStates(Connection connection) throws SQLException {
    Set<String> states = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DISTINCT state FROM entity WHERE kind = 'resource' AND active")) {
      while (rows.next()) {
        states.add(rows.getString(1));
      }
    }
    assertThat(states).containsExactly("asked", "in_doubt", "leaving", "present");
  }

  private void add(ZipOutputStream zip, Path file) throws IOException {
    boolean folder = Files.isDirectory(file);
    ZipEntry entry = new ZipEntry(home.relativize(file) + (folder ? "/" : ""));
    // The times of a job's files tell when it began.
    entry.setLastModifiedTime(Files.getLastModifiedTime(file));
    zip.putNextEntry(entry);
    if (!folder) {
      zip.write(portable(Files.readAllBytes(file)));
    }
    zip.closeEntry();
  }

  private byte[] portable(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    return text.replace(boot, BOOT)
        .replace(home.toString(), HOME)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
