package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void silence() {
    SilentLogs.begin();
  }

  @Test
  void saysHowManySeedsWereLived() {
    assertThat(run("--seeds", "2", "--from", "7")).isZero();
    assertThat(text(out)).contains("2 seeds").contains("seeds/s");
    assertThat(text(err)).isEmpty();
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThat(run()).isEqualTo(64);
    assertThat(run("--seeds", "many")).isEqualTo(64);
    assertThat(run("--seeds", "1", "--servers", "3")).isEqualTo(64);
    assertThat(run("--seeds", "1", "--also", "luck")).isEqualTo(64);
    assertThat(run("--fast")).isEqualTo(64);
    assertThat(text(err))
        .contains("--seeds says how many lives there shall be")
        .contains("--seeds is a number, not 'many'")
        .contains("--servers is 1 or 2, not 3")
        .contains("--also is one of lookup")
        .contains("'--fast' is not known");
  }

  @Test
  void namesTheCommandThatLivesASeedAgain() {
    Arguments arguments =
        Arguments.read(
            List.of("--seeds", "9", "--sqlite", "--servers", "1", "--also", "silent-calls"));
    assertThat(arguments.replay(4))
        .isEqualTo("./berth simulate --seeds 1 --from 4 --sqlite --servers 1 --also silent-calls");
  }

  private int run(String... words) {
    return Main.run(List.of(words), stream(out), stream(err));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
