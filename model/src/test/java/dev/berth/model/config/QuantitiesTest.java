package dev.berth.model.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class QuantitiesTest {
  @Test
  void sizesAreComparedByTheirAmount() {
    assertThat(Size.gib(1)).isEqualTo(new Size(1024)).isGreaterThan(new Size(1023));
  }

  @Test
  void aSizeIsNeitherNegativeNorTooLargeToCount() {
    assertThatThrownBy(() -> new Size(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Size.gib(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void computeCapabilitiesAreNotDecimals() {
    assertThat(new ComputeCapability(9, 10)).isGreaterThan(new ComputeCapability(9, 2));
    assertThat(new ComputeCapability(10, 0)).isGreaterThan(new ComputeCapability(9, 10));
    assertThat(new ComputeCapability(9, 0)).hasToString("9.0");
    assertThatThrownBy(() -> new ComputeCapability(-1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTimeLimitIsOffOrNotNegative() {
    assertThat(TimeLimit.OFF.isOff()).isTrue();
    assertThat(TimeLimit.of(Duration.ZERO).isOff()).isFalse();
    assertThatThrownBy(() -> TimeLimit.of(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void retryIsOffWithoutEvents() {
    assertThat(RetryPolicy.OFF.isOff()).isTrue();
    assertThat(RetryPolicy.always().isOff()).isFalse();
    assertThat(RetryPolicy.always().onEvents()).containsExactly(RetryEvent.values());
  }
}
