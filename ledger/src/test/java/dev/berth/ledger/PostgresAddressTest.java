package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.PostgresAddress.Host;
import dev.berth.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as people and clouds write them, and passwords that stay unseen. */
class PostgresAddressTest {
  private static final String CANARY = "c4nary";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://ann:c4nary@db.example.com:6432/berth",
        "postgres://ann:c4nary@db.example.com:6432/berth",
        "jdbc:postgresql://ann:c4nary@db.example.com:6432/berth",
        "jdbc:postgresql://db.example.com:6432/berth?user=ann&password=c4nary",
        "postgresql:///berth?host=db.example.com&port=6432&user=ann&password=c4nary",
        "postgresql://ann:c4nary@db.example.com:6432?dbname=berth",
        " postgresql://ann:%634nary@db.example.com:6432/berth?keepalives=1\n"
      })
  void oneAddressInManyWords(String url) {
    assertThat(PostgresAddress.of(url))
        .isEqualTo(
            new PostgresAddress(
                List.of(new Host("db.example.com", 6432)),
                "berth",
                "ann",
                Secret.of(CANARY),
                Map.of()));
  }

  @Test
  void whatIsNotWrittenIsAsInOtherPrograms() {
    PostgresAddress address = PostgresAddress.of("postgresql://ann@");
    assertThat(address)
        .isEqualTo(
            new PostgresAddress(
                List.of(new Host("localhost", 5432)), "ann", "ann", null, Map.of()));
    assertThat(address).hasToString("postgresql://ann@localhost:5432/ann");
  }

  @Test
  void severalHostsAndNumericOnes() {
    PostgresAddress address = PostgresAddress.of("postgresql://ann@a:1,[::1]:2,c/d");
    assertThat(address.hosts())
        .containsExactly(new Host("a", 1), new Host("::1", 2), new Host("c", 5432));
    assertThat(address).hasToString("postgresql://ann@a:1,[::1]:2,c:5432/d");
    assertThat(address.dataSource(Map.of()).getTargetServerType()).isEqualTo("primary");
    assertThat(PostgresAddress.of("postgresql://u@x/d?host=a,b&port=7").hosts())
        .containsExactly(new Host("a", 7), new Host("b", 7));
  }

  @Test
  void oddLettersAreEscaped() {
    PostgresAddress address = PostgresAddress.of("postgresql://a%40b:p%2F%3A%25+@h/my%20db");
    assertThat(address.user()).isEqualTo("a@b");
    assertThat(address.password()).isEqualTo(Secret.of("p/:%+"));
    assertThat(address.database()).isEqualTo("my db");
  }

  @ParameterizedTest
  @CsvSource({
    "sslmode=require, sslmode, require",
    "application_name=mine, ApplicationName, mine",
    "connect_timeout=3, connectTimeout, 3",
    "target_session_attrs=read-write, targetServerType, primary",
    "options=-c%20search_path%3Dberth, options, -c search_path=berth",
    "sslrootcert=system, sslfactory, org.postgresql.ssl.DefaultJavaSSLFactory",
    "currentSchema=berth, currentSchema, berth"
  })
  void settingsHaveTheWordsOfBoth(String written, String name, String value) throws Exception {
    PostgresAddress address = PostgresAddress.of("postgresql://u@h/d?" + written);
    assertThat(address.settings()).isEqualTo(Map.of(name, value));
    assertThat(address.dataSource(Map.of(name, "other")).getProperty(name)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c4nary",
        "mysql://u:c4nary@h/d",
        "postgresql://:c4nary@h/d",
        "postgresql://u:c4nary@h:port/d",
        "postgresql://u:c4nary@h:99999/d",
        "postgresql://u:c4n/c4nary@h/d",
        "postgresql://u:c4n?c4nary@h/d",
        "postgresql://u:c4nary%zz@h/d",
        "postgresql://u:c4nary@h/d?c4nary",
        "postgresql://u:c4nary@h/d?c4nary=c4nary",
        "postgresql://u:c4nary@h/d?target_session_attrs=c4nary",
        "postgresql://u:c4nary@%2Fvar%2Frun/d"
      })
  void wrongAddressIsExplainedWithoutQuotingIt(String url) {
    assertThatThrownBy(() -> PostgresAddress.of(url))
        .isInstanceOfSatisfying(
            LedgerException.class,
            e -> {
              assertThat(e.code()).isEqualTo(LedgerException.Code.CANNOT_OPEN);
              assertThat(e).hasNoCause();
              assertThat(e.getMessage()).doesNotContain(CANARY).endsWith(".");
            });
  }

  @Test
  void passwordIsNotPrinted() {
    assertThat(PostgresAddress.of("postgresql://u:c4nary@h/d?sslpassword=c4nary").toString())
        .isEqualTo("postgresql://u@h:5432/d");
  }

  @Test
  void passwordFromElsewhereWins() throws IOException {
    PostgresAddress address = PostgresAddress.of("postgresql://u:wrong@h/d");
    assertThat(address.withPassword(Secret.of(CANARY)).password()).isEqualTo(Secret.of(CANARY));
    Path file = Files.writeString(folder.resolve("password"), CANARY + "\nsecond line\n");
    assertThat(address.withPasswordFrom(file).password()).isEqualTo(Secret.of(CANARY));
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    assertThatThrownBy(() -> address.withPasswordFrom(empty))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("empty first line");
    assertThatThrownBy(() -> address.withPasswordFrom(folder.resolve("none")))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("cannot be read");
  }
}
