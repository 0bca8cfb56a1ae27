package dev.berth.ledger;

import static dev.berth.ledger.Samples.REALM;
import static dev.berth.ledger.Samples.active;
import static dev.berth.ledger.Samples.put;
import static dev.berth.ledger.Samples.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.LedgerException.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a database: who may see it, who may hold it, and what is wrong with it. */
class SqliteFilesTest {
  @TempDir Path folder;
  private Path database;

  @BeforeEach
  void choosePath() {
    database = folder.resolve("data/sub/berth.db");
  }

  @Test
  void contentSurvivesReopening() {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.commit(ledger.takeOver(REALM, "me"), put(active("a", "a", 1)));
    }
    try (Ledger ledger = SqliteLedger.open(database)) {
      assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(0, active("a", "a", 1)));
      assertThat(ledger.takeOver(REALM, "me").epoch()).isEqualTo(2);
    }
  }

  @Test
  void onlyTheOwnerCanRead() throws IOException {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.takeOver(REALM, "me");
      Path parent = Objects.requireNonNull(database.getParent());
      assertThat(permissions(parent)).isEqualTo("rwx------");
      assertThat(permissions(Objects.requireNonNull(parent.getParent()))).isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(parent)) {
        List<Path> found = files.toList();
        assertThat(found)
            .extracting(file -> file.getFileName().toString())
            .contains("berth.db", "berth.db-wal", "berth.db.lock");
        assertThat(found).allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"with space.db", "per%20cent.db", "h#sh.db", "\u00fcml\u00e4ut.db", "a&b=c.db"})
  void oddFileNamesWork(String name) {
    Path odd = folder.resolve(name);
    try (Ledger ledger = SqliteLedger.open(odd)) {
      ledger.takeOver(REALM, "me");
    }
    assertThat(odd).isNotEmptyFile();
  }

  @Test
  void secondOpeningInThisProcessIsRefusedAndDoesNotLoosenTheFirst() throws Exception {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.takeOver(REALM, "me");
      String pid = Long.toString(ProcessHandle.current().pid());
      assertFails(Code.IN_USE, "process " + pid);
      try (ChildJvm child = ChildJvm.start(folder, HoldingProgram.class, database.toString())) {
        assertThat(child.line().orElseThrow()).startsWith("IN_USE").contains("process " + pid);
      }
    }
    SqliteLedger.open(database).close();
  }

  @Test
  void otherProcessIsNamedAndItsDeathGivesTheLockBack() throws Exception {
    try (ChildJvm child = ChildJvm.start(folder, HoldingProgram.class, database.toString())) {
      assertThat(child.line()).contains("open");
      assertFails(Code.IN_USE, "process " + child.pid());
      child.kill();
    }
    try (Ledger ledger = SqliteLedger.open(database)) {
      assertThat(ledger.findRealm(REALM).orElseThrow().owner()).isEqualTo("holder");
    }
  }

  @Test
  void linkDoesNotGoRoundTheLock() throws IOException {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.takeOver(REALM, "me");
      Path link = Files.createSymbolicLink(folder.resolve("link.db"), database);
      assertThatExceptionOfType(LedgerException.class)
          .isThrownBy(() -> SqliteLedger.open(link).close())
          .satisfies(e -> assertThat(e.code()).isEqualTo(Code.IN_USE));
    }
  }

  @Test
  void newerSchemaIsRefused() throws SQLException {
    SqliteLedger.open(database).close();
    change("UPDATE schema_history SET version = '999'");
    change("UPDATE understood_by SET reader = 999");
    assertFails(Code.SCHEMA_NEWER, "schema 999");
  }

  @Test
  void databaseOfTheFirstSchemaIsBroughtUpToDate() throws SQLException {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.commit(ledger.takeOver(REALM, "me"), put(active("a", "a", 1)));
    }
    change("ALTER TABLE realm RENAME COLUMN alive_at TO lease_until");
    change("UPDATE realm SET lease_until = NULL");
    change("ALTER TABLE realm DROP COLUMN stale_writes");
    change("DROP TABLE inbox");
    change("DROP TABLE understood_by");
    change("DELETE FROM schema_history WHERE version IN ('2', '3')");
    try (Ledger ledger = SqliteLedger.open(database)) {
      assertThat(ledger.find(REALM, run("a"))).contains(new Stored<>(0, active("a", "a", 1)));
      // Nobody was heard of since signs of life are kept, which is as silent as can be.
      assertThat(ledger.takeOverIfSilent(REALM, "me", 1, Duration.ofDays(365))).isPresent();
    }
  }

  @Test
  void databaseOfAnotherProgramIsRefused() throws Exception {
    Files.createDirectories(Objects.requireNonNull(database.getParent()));
    change("CREATE TABLE bookmarks (id INTEGER)");
    assertFails(Code.SCHEMA_FOREIGN, "another program");
  }

  @Test
  void fileThatIsNoDatabaseIsRefusedUnharmed() throws IOException {
    Files.createDirectories(Objects.requireNonNull(database.getParent()));
    String text = "not a database, ".repeat(1000);
    Files.writeString(database, text);
    assertFails(Code.CORRUPTED, "restore a backup");
    assertThat(database).hasContent(text);
  }

  @Test
  void damagedPagesAreReported() throws IOException {
    try (Ledger ledger = SqliteLedger.open(database)) {
      ledger.commit(ledger.takeOver(REALM, "me"), put(active("a", "a", 1)));
    }
    byte[] bytes = Files.readAllBytes(database);
    Arrays.fill(bytes, 4096, bytes.length, (byte) 0x5a);
    Files.write(database, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    assertThatExceptionOfType(LedgerException.class)
        .isThrownBy(
            () -> {
              try (Ledger ledger = SqliteLedger.open(database)) {
                ledger.takeOver(REALM, "me");
              }
            })
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.CORRUPTED));
  }

  @Test
  void pathsThatCannotBeUsedAreNamed() throws IOException {
    database = Files.createDirectory(folder.resolve("folder"));
    assertFails(Code.CANNOT_OPEN, "is not a file");
    database = Files.writeString(folder.resolve("file"), "x").resolve("berth.db");
    assertFails(Code.CANNOT_OPEN, "Check the path");
    database = folder.resolve("what?.db");
    assertFails(Code.CANNOT_OPEN, "question mark");
  }

  @Test
  void theNewestMigrationIsTheCurrentSchema() throws Exception {
    Path migrations =
        Path.of(
                Objects.requireNonNull(
                        Schema.class.getResource("/dev/berth/ledger/migrations/V1__ledger.sql"))
                    .toURI())
            .getParent();
    try (Stream<Path> files = Files.list(Objects.requireNonNull(migrations))) {
      int newest =
          files
              .map(file -> file.getFileName().toString())
              .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
              .max()
              .orElseThrow();
      assertThat(newest).isEqualTo(Schema.CURRENT);
    }
  }

  @Test
  void stalePidInTheLockFileDoesNotMatter() throws IOException {
    Files.createDirectories(Objects.requireNonNull(database.getParent()));
    Path lock = database.resolveSibling("berth.db.lock");
    Files.writeString(lock, "99999999999\n");
    SqliteLedger.open(database).close();
    assertThat(Files.readString(lock, StandardCharsets.US_ASCII))
        .isEqualTo(ProcessHandle.current().pid() + "\n");
  }

  private void assertFails(Code code, String part) {
    assertThatThrownBy(() -> SqliteLedger.open(database).close())
        .isInstanceOfSatisfying(
            LedgerException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(part).contains(database.toString());
            });
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
