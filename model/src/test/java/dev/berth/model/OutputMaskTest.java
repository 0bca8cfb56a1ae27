package dev.berth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are hidden in output, wherever it is cut. */
class OutputMaskTest {
  private static OutputMask mask(String... values) {
    return OutputMask.of(Arrays.stream(values).map(Secret::of).toList());
  }

  /** Output that is all there, or still grows. */
  private static OutputMask.Source source(String written, boolean ended) {
    byte[] all = written.getBytes(StandardCharsets.UTF_8);
    return (offset, most) -> {
      int from = (int) Math.min(offset, all.length);
      int to = Math.min(all.length, from + most);
      return new OutputMask.Piece(Arrays.copyOfRange(all, from, to), to, ended && to == all.length);
    };
  }

  /** Everything in pieces of a size. */
  private static String all(OutputMask mask, String written, int size) {
    StringBuilder text = new StringBuilder();
    long offset = 0;
    while (true) {
      OutputMask.Piece piece = mask.read(source(written, true), offset, size);
      assertThat(piece.bytes().length).isLessThanOrEqualTo(size);
      assertThat(piece.nextOffset()).isEqualTo(offset + piece.bytes().length);
      text.append(new String(piece.bytes(), StandardCharsets.ISO_8859_1));
      offset = piece.nextOffset();
      if (piece.ended()) {
        return text.toString();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 100})
  void borderOfAPieceHidesNothingLess(int size) {
    assertThat(all(mask("secret", "abab"), "a secret, xsecretsecret ababab. sec", size))
        .isEqualTo("a ******, x************ ******. sec");
  }

  @Test
  void whatMayBeABeginningWaitsForTheRest() {
    OutputMask mask = mask("secret");
    OutputMask.Piece begun = mask.read(source("a sec", false), 0, 100);
    assertThat(begun.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("a ");
    assertThat(begun.nextOffset()).isEqualTo(2);
    assertThat(mask.read(source("a sec", false), 2, 100).bytes()).isEmpty();
    assertThat(mask.read(source("a secret", false), 2, 100).bytes())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("******");
    assertThat(mask.read(source("a second", false), 2, 100).bytes())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("second");
    assertThat(mask.read(source("a sec", true), 2, 100).ended()).isTrue();
  }

  @Test
  void anOutputThatEndsWithALineIsNeverHeldBack() {
    OutputMask mask = mask("\nword with lines\nand more\n");
    assertThat(mask.read(source("hello\n", false), 0, 100).bytes()).hasSize(6);
  }

  @Test
  void linesOfAValueAreHiddenByThemselves() {
    assertThat(mask("first line\n  second\nabc\n").hide("x second, first line, abc"))
        .isEqualTo("x ****, ****, abc");
  }

  @Test
  void whatIsTooShortIsNotHidden() {
    assertThat(mask("abc", "").isNothing()).isTrue();
    assertThat(mask("abcd").hide("abcd")).isEqualTo("****");
  }

  @Test
  void nothingOfItselfIsPrinted() {
    assertThat(mask("secret").toString()).doesNotContain("secret");
  }

  @Test
  void anyCutGivesTheSameAsNone() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      String[] values = {letters(random, 4), letters(random, 5), letters(random, 9)};
      OutputMask mask = mask(values);
      String written = letters(random, 200);
      assertThat(all(mask, written, 1 + random.nextInt(20)))
          .as("%s in %s", List.of(values), written)
          .isEqualTo(all(mask, written, written.length()));
    }
  }

  @Test
  void aSentenceDoesNotTellHowLongASecretIs() {
    OutputMask mask = mask("secret", "a-much-longer-secret");
    assertThat(mask.hide("é secret, a-much-longer-secret and secretsecret."))
        .isEqualTo("é ****, **** and ****.");
    assertThat(mask.hide("nothing")).isEqualTo("nothing");
    assertThat(mask.lengths()).containsExactlyInAnyOrder(6, 20);
  }

  private static String letters(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append((char) ('a' + random.nextInt(2)));
    }
    return text.toString();
  }
}
