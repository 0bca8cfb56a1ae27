package dev.berth.testkit.awkward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks are read as they were written, whatever their length. */
class MarkCodecTest {
  private static final String LETTERS = "-0123456789abcdefghijklmnopqrstuvwxyz";
  private static final MarkCodec CODEC = new MarkCodec(32);
  private static final String OWNER = MarkCodec.fingerprint(new Owner("0123456789abcdef"));

  @ParameterizedTest
  @CsvSource({
    // A key of an attempt, which stands there as it is.
    "r0abc1def2ghi3jkl4mno-0, 7, -r0abc1def2ghi3jkl4mno-0",
    "kit-0a1b2c3d4e-12, 0, -kit-0a1b2c3d4e-12",
    "a, 9223372036854775807, -a",
    // With a large sequence it is packed.
    "r0abc1def2ghi3jkl4mno-0, 14776336, .",
    "---------------------, 99999999999, .",
    "zzzzzzzzzzzzzzzzzzzzzzzz, 99999, ."
  })
  void marksAreReadAsTheyWereWritten(String key, long seq, String tail) {
    Mark mark = new Mark(OWNER, key, seq);
    String label = CODEC.write(mark);
    assertThat(label).hasSizeLessThanOrEqualTo(32).matches("[A-Za-z0-9.-]+").startsWith(OWNER);
    assertThat(label).contains(tail);
    assertThat(CODEC.read(label)).contains(mark);
  }

  @Test
  void allMarksThatFitAreReadAsTheyWereWritten() {
    Random random = new Random(5);
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      StringBuilder key = new StringBuilder();
      int length = 1 + random.nextInt(22);
      while (key.length() < length) {
        key.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      long seq = random.nextLong(1L << (1 + random.nextInt(35)));
      Mark mark = new Mark(OWNER, key.toString(), seq);
      String label = CODEC.write(mark);
      assertThat(label).hasSizeLessThanOrEqualTo(32);
      assertThat(CODEC.read(label)).contains(mark);
      labels.add(label);
    }
    assertThat(labels).hasSizeGreaterThan(4800);
  }

  @Test
  void aKeyIsRefusedBeforeItIsCut() {
    assertThatThrownBy(() -> CODEC.write(new Mark(OWNER, "k".repeat(40), 1)))
        .isInstanceOf(BackendException.Permanent.class)
        .hasMessageContaining("does not fit into a label of 32");
    assertThatThrownBy(() -> CODEC.write(new Mark(OWNER, "Upper", 1)))
        .isInstanceOf(BackendException.Permanent.class)
        .hasMessageContaining("letters other than");
    assertThatThrownBy(() -> new Mark(OWNER, "", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Mark(OWNER, "a", -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "web",
        "my-server",
        "abcde-key",
        "abcde7",
        "abcde7-",
        "abcde7.",
        "abcde7.0",
        "abcde7.!!",
        "abcde7_key",
        "abcdezzzzzzzzzzzzzzzzz-key",
        "-----7-key"
      })
  void whatOthersWroteIsNoMark(String label) {
    assertThat(CODEC.read(label)).isEmpty();
  }

  @Test
  void ownersAreToldApart() {
    Set<String> fingerprints = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      fingerprints.add(MarkCodec.fingerprint(new Owner("installation-" + i)));
    }
    assertThat(fingerprints).hasSize(1000).allMatch(text -> text.length() == 5);
  }
}
