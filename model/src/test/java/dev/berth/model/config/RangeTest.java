package dev.berth.model.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RangeTest {
  @Test
  void bothEndsBelongToTheRange() {
    Range<Integer> range = new Range<>(2, 4);
    assertThat(range.contains(2)).isTrue();
    assertThat(range.contains(4)).isTrue();
    assertThat(range.contains(1)).isFalse();
    assertThat(range.contains(5)).isFalse();
  }

  @Test
  void anAbsentEndIsOpen() {
    assertThat(Range.atLeast(2).contains(Integer.MAX_VALUE)).isTrue();
    assertThat(new Range<>(null, 2).contains(Integer.MIN_VALUE)).isTrue();
  }

  @Test
  void onlyARangeWithEqualEndsIsASingleValue() {
    assertThat(Range.exactly(3).isSingleValue()).isTrue();
    assertThat(new Range<>(3, 4).isSingleValue()).isFalse();
    assertThat(Range.atLeast(3).isSingleValue()).isFalse();
    assertThat(new Range<>(null, 3).isSingleValue()).isFalse();
  }

  @Test
  void aRangeHasAnEndAndDoesNotRunBackwards() {
    assertThatThrownBy(() -> new Range<Integer>(null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Range<>(4, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4")
        .hasMessageContaining("2");
  }
}
