package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Ledger;
import dev.berth.ledger.SqliteLedger;
import dev.berth.ledger.Tenure;
import dev.berth.spi.MarkCodec;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server makes up as keys and owners is within what backends are promised. */
class KeysAndOwnersTest {
  private static final Owner OWNER = new Owner("0123456789abcdef");
  private static final long LARGE = (1L << Integer.SIZE) - 1;

  @TempDir Path home = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"", "-0-0-1", "-0-63-63-m", "-f", "-f-12", "-f-g63", "-t9-0-7-7-m"})
  void usualKeysFitIntoTheShortestNames(String tail) {
    RunNames names = new RunNames(() -> Instant.parse("2126-01-01T00:00:00Z"));
    for (String id : new String[] {names.newRunId(), names.newFleetId()}) {
      Marks marks = new Marks(OWNER, id + tail, LARGE);
      MarkCodec codec = new MarkCodec(32, MarkCodec.MIXED_CASE);
      assertThat(codec.read(codec.write(marks), OWNER)).contains(marks);
    }
  }

  @Test
  void largeKeysAreWithinTheLimit() {
    RunNames names = new RunNames(() -> Instant.parse("2126-01-01T00:00:00Z"));
    Marks marks = new Marks(OWNER, names.newRunId() + "-t999999-99999-99999-999999-m", LARGE);
    assertThat(marks.key()).hasSizeLessThan(Marks.LONGEST_KEY);
    MarkCodec codec = new MarkCodec(63, MarkCodec.LOWER_CASE);
    assertThat(codec.read(codec.write(marks), OWNER)).contains(marks);
  }

  @Test
  void ownersAreWithinTheLimit() throws Exception {
    try (SqliteLedger ledger = SqliteLedger.open(home.resolve("ledger.db"))) {
      String installation =
          Installation.of(ledger, new Tenure(Ledger.MAIN_REALM, "me", 1, 0), home);
      assertThat(installation).hasSizeLessThanOrEqualTo(Owner.LONGEST).matches("[A-Za-z0-9_-]+");
    }
  }
}
