package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Owner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What authors of backends rely on when they put our marks into names: {@code Owner} and {@code
 * CreateRequest.key} state it. {@code KeyLimitsTest} goes on from these ids to keys.
 */
class MarkLimitsTest {
  @TempDir Path folder = Path.of("");

  @Test
  void anOwnerHasSixteenHexadecimalDigits() throws IOException {
    assertThat(new Owner(Installation.own(folder.resolve("installation"))).installation())
        .matches("[0-9a-f]{16}");
  }

  @Test
  void idsThatKeysBeginWithHaveTwentyLettersAndDigits() {
    RunNames names = new RunNames(InstantSource.system());
    assertThat(Stream.generate(names::newRunId).limit(1_000).toList())
        .allSatisfy(id -> assertThat(id).matches("r[a-z0-9]{19}"));
    assertThat(names.newFleetId()).matches("f[a-z0-9]{19}");
  }
}
