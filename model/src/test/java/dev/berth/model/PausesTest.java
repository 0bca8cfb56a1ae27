package dev.berth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PausesTest {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  @Test
  void eachIsTwiceTheOneBeforeUpToTheLongest() {
    assertThat(IntStream.rangeClosed(1, 5).mapToObj(i -> Pauses.after(i, FIRST, LONGEST)))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 5L, 5L);
  }

  @Test
  void manyFailuresTakeNoLongerThanFew() {
    assertThat(Pauses.after(Integer.MAX_VALUE, FIRST, LONGEST)).isEqualTo(LONGEST);
  }

  @Test
  void firstIsNotLongerThanTheLongest() {
    Duration tooLong = LONGEST.plusSeconds(1);
    assertThat(Pauses.after(1, tooLong, LONGEST)).isEqualTo(LONGEST);
    assertThat(Pauses.next(tooLong, LONGEST)).isEqualTo(LONGEST);
  }
}
