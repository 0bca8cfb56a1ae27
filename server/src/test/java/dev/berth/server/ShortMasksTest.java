package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.JobRuntime;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All masks look the same, wherever output is cut. */
class ShortMasksTest {
  private static final Set<Integer> LENGTHS = Set.of(4, 6, 11);

  /** Output that is all there, or still grows. */
  private static ShortMasks.Source source(String written, boolean ended) {
    byte[] all = written.getBytes(StandardCharsets.UTF_8);
    return (offset, most) -> {
      int from = (int) Math.min(offset, all.length);
      int to = Math.min(all.length, from + most);
      return new JobRuntime.Output(
          Arrays.copyOfRange(all, from, to), to, ended && to == all.length);
    };
  }

  private static String text(JobRuntime.Output output) {
    return new String(output.bytes(), StandardCharsets.UTF_8);
  }

  /** Everything in pieces of a size. */
  private static String all(String written, int size) {
    StringBuilder text = new StringBuilder();
    long offset = 0;
    while (true) {
      JobRuntime.Output piece = ShortMasks.read(source(written, true), LENGTHS, offset, size);
      assertThat(piece.bytes().length).isLessThanOrEqualTo(size);
      assertThat(piece.nextOffset()).isGreaterThanOrEqualTo(offset);
      text.append(text(piece));
      offset = piece.nextOffset();
      if (piece.ended()) {
        assertThat(offset).isEqualTo(written.length());
        return text.toString();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 100})
  void masksAreEquallyLongAndNothingElseChanges(int size) {
    assertThat(all("a ****** b *********** c **** d\n", size))
        .isEqualTo("a **** b **** c **** d\n");
    assertThat(all("***\n*****\n************\n", size)).isEqualTo("***\n*****\n************\n");
    assertThat(all("***********", size)).isEqualTo("****");
    assertThat(all("", size)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2, ****.", "5, .", "8, .", "9, ''"})
  void aReaderThatBeginsWithinAMaskSkipsTheRest(long offset, String shown) {
    assertThat(text(ShortMasks.read(source("a ******.", true), LENGTHS, offset, 100)))
        .isEqualTo(shown);
  }

  @Test
  void whatMayBeTheBeginningOfAMaskWaits() {
    JobRuntime.Output begun = ShortMasks.read(source("a ***", false), LENGTHS, 0, 100);
    assertThat(text(begun)).isEqualTo("a ");
    assertThat(begun.nextOffset()).isEqualTo(2);
    assertThat(text(ShortMasks.read(source("a ******", false), LENGTHS, 2, 100))).isEmpty();
    assertThat(text(ShortMasks.read(source("a ******\n", false), LENGTHS, 2, 100)))
        .isEqualTo("****\n");
    // More than any mask has.
    assertThat(text(ShortMasks.read(source("a " + "*".repeat(12), false), LENGTHS, 2, 100)))
        .isEqualTo("*".repeat(12));
    JobRuntime.Output over = ShortMasks.read(source("a ***", true), LENGTHS, 2, 100);
    assertThat(text(over)).isEqualTo("***");
    assertThat(over.ended()).isTrue();
  }

  @Test
  void outputOfRunsWithoutSecretsIsNotLookedAt() {
    JobRuntime.Output piece = ShortMasks.read(source("******", true), Set.of(), 2, 3);
    assertThat(text(piece)).isEqualTo("***");
    assertThat(piece.nextOffset()).isEqualTo(5);
  }

  @Test
  void anyCutGivesTheSameAsNone() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      StringBuilder written = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        written.append(random.nextInt(8) == 0 ? 'x' : '*');
      }
      assertThat(all(written.toString(), 4 + random.nextInt(20)))
          .as("%s", written)
          .isEqualTo(all(written.toString(), 1000));
    }
  }
}
