package dev.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks are read as they were written, whatever a provider lets a name be. */
class MarkCodecTest {
  private static final String DIGITS = "0123456789";
  private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
  private static final String ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final String KEY_LETTERS = DIGITS + LOWER + "-";
  private static final Owner OWNER = new Owner("0123456789abcdef");

  /** The letters of some providers, and how long a name of them must at least be. */
  static Stream<Names> names() {
    return Stream.of(
        new Names(MarkCodec.MIXED_CASE, 32),
        new Names(MarkCodec.MIXED_CASE + "_.", 32),
        new Names(MarkCodec.LOWER_CASE, 37),
        new Names(LOWER + DIGITS, 37),
        new Names(LOWER, 41),
        new Names(DIGITS + "-", 57),
        new Names(ID_DIGITS, 38),
        new Names("abcdef" + DIGITS, 48),
        new Names("01", 189));
  }

  /** What a provider lets a name be. */
  record Names(String letters, int least) {}

  private static Marks marks(Random random) {
    String owner =
        random(random, KEY_LETTERS + LOWER.toUpperCase(Locale.ROOT), 1 + random.nextInt(32));
    long seq = random.nextLong() >>> (1 + random.nextInt(62));
    return new Marks(new Owner(owner), key(random), seq);
  }

  /** Keys as the server makes them, and all others. */
  private static String key(Random random) {
    if (random.nextInt(4) == 0) {
      return random(random, KEY_LETTERS, 1 + random.nextInt(40));
    }
    StringBuilder key = new StringBuilder(random(random, "rf", 1));
    key.append(random(random, random.nextInt(8) == 0 ? KEY_LETTERS : ID_DIGITS, 19));
    int parts = random.nextInt(5);
    for (int i = 0; i < parts; i++) {
      key.append('-');
      boolean letter = random.nextInt(3) == 0;
      key.append(letter ? random(random, "mtgfp", 1) : "");
      if (!letter || random.nextBoolean()) {
        key.append(random.nextInt(random.nextInt(8) == 0 ? 1_000_000 : 70));
      }
    }
    return key.toString();
  }

  private static String random(Random random, String letters, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("names")
  void marksAreReadAsTheyWereWritten(Names allowed) {
    Random random = new Random(allowed.hashCode());
    Set<String> written = new HashSet<>();
    int tooLong = 0;
    for (int i = 0; i < 800; i++) {
      int length = allowed.least() + random.nextInt(64);
      MarkCodec codec = new MarkCodec(length, allowed.letters());
      Marks marks = marks(random);
      String name;
      try {
        name = codec.write(marks);
      } catch (BackendException.Permanent e) {
        assertThat(e).hasMessageContaining("does not fit into a name of " + length);
        tooLong++;
        continue;
      }
      assertThat(name).hasSizeLessThanOrEqualTo(length);
      assertThat(name.chars()).allMatch(letter -> allowed.letters().indexOf(letter) >= 0);
      assertThat(codec.read(name, marks.owner())).contains(marks);
      assertThat(codec.read(name, OWNER)).isEmpty();
      written.add(name);
    }
    // Hardly two were the same, and most fitted.
    assertThat(written).hasSizeGreaterThan(780 - tooLong);
    assertThat(tooLong).isLessThan(400);
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesOfOthersAreRefused(Names allowed) {
    Random random = new Random(allowed.hashCode());
    MarkCodec codec = new MarkCodec(allowed.least() + 30, allowed.letters());
    for (int i = 0; i < 800; i++) {
      String name = random(random, allowed.letters(), 1 + random.nextInt(allowed.least() + 30));
      assertThat(codec.read(name, OWNER)).as(name).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aNameThatWasChangedOrCutIsNone(Names allowed) {
    Random random = new Random(allowed.hashCode());
    MarkCodec codec = new MarkCodec(allowed.least() + 40, allowed.letters());
    for (int i = 0; i < 300; i++) {
      Marks marks = new Marks(OWNER, "r0" + random(random, ID_DIGITS, 18) + "-0-0-1-m", i);
      String name = codec.write(marks);
      int at = random.nextInt(name.length());
      String other = random(random, allowed.letters(), 1);
      String changed = name.substring(0, at) + other + name.substring(at + 1);
      if (!changed.equals(name)) {
        assertThat(codec.read(changed, OWNER)).as(changed).isEmpty();
      }
      assertThat(codec.read(name.substring(0, name.length() - 1), OWNER)).isEmpty();
      assertThat(codec.read(name.substring(1), OWNER)).isEmpty();
      assertThat(codec.read(name + other, OWNER)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "web", "my-server", "abcde-key", "a b", "-r0abc", "berth-1", "é"})
  void whatPeopleCallTheirThingsIsNoName(String name) {
    assertThat(new MarkCodec(32, MarkCodec.MIXED_CASE).read(name, OWNER)).isEmpty();
    assertThat(new MarkCodec(63, MarkCodec.LOWER_CASE).read(name, OWNER)).isEmpty();
  }

  @Test
  void aKeyStandsInTheNameAsItIsWhereItFits() {
    String key = "r0068k2abc1def2ghj3k-0-0-1-m";
    Marks marks = new Marks(OWNER, key, 123_456);
    assertThat(new MarkCodec(63, MarkCodec.LOWER_CASE).write(marks)).endsWith("-" + key);
    assertThat(new MarkCodec(32, MarkCodec.MIXED_CASE).write(marks))
        .hasSizeLessThanOrEqualTo(32)
        .doesNotContain("-");
  }

  @ParameterizedTest
  @CsvSource({"63, 1", "63, 9223372036854775807", "37, 77", "32, 4294967295"})
  void namesBeginWithALetter(int length, long seq) {
    String letters = length < 37 ? MarkCodec.MIXED_CASE : MarkCodec.LOWER_CASE;
    String name =
        new MarkCodec(length, letters)
            .write(new Marks(OWNER, "r0068k2abc1def2ghj3k-0-63-63-m", seq));
    assertThat(name).matches("[A-Za-z].*");
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesThatAreTooShortAreRefusedWithTheLengthThatIsNeeded(Names allowed) {
    assertThatCode(() -> new MarkCodec(allowed.least(), allowed.letters()))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new MarkCodec(allowed.least() - 1, allowed.letters()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too short for marks, which need " + allowed.least());
  }

  @Test
  void lettersThatCannotTellAnythingAreRefused() {
    assertThatThrownBy(() -> new MarkCodec(100, "-a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least two letters or digits");
  }

  @Test
  void marksAreTakenOutOfTagsOnlyWhole() {
    Marks marks = new Marks(OWNER, "k-1", 7);
    assertThat(Marks.in(marks.tags())).contains(marks);
    assertThat(Marks.in(Map.of(Marks.OWNER, "me", Marks.KEY, "k"))).isEqualTo(Optional.empty());
    for (String seq : Set.of("", "x", "-1", "07", "9999999999999999999")) {
      assertThat(Marks.in(Map.of(Marks.OWNER, "me", Marks.KEY, "k", Marks.SEQ, seq))).isEmpty();
    }
    assertThat(Marks.in(Map.of(Marks.OWNER, "me", Marks.KEY, "K", Marks.SEQ, "1"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "a_b", "a~b"})
  void keysHaveFewLetters(String key) {
    assertThatThrownBy(() -> new Marks(OWNER, key, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a key has at most 64 letters");
  }
}
