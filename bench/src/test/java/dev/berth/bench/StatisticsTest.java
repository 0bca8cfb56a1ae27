package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianIsTheMiddleOfTheSortedValues() {
    assertThat(Statistics.median(9, 1, 5)).isEqualTo(5);
    assertThat(Statistics.median(7)).isEqualTo(7);
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    assertThat(Statistics.median(4, 1, 3, 2)).isEqualTo(2.5);
  }

  @Test
  void oneOutlierDoesNotMoveTheMedian() {
    assertThat(Statistics.median(10, 11, 12, 13, 90_000)).isEqualTo(12);
  }

  @Test
  void theValuesKeepTheirOrder() {
    double[] values = {3, 1, 2};
    assertThat(Statistics.median(values)).isEqualTo(2);
    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void aPercentileIsAValueThatWasMeasured() {
    double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();
    assertThat(Statistics.percentile(50, hundred)).isEqualTo(50);
    assertThat(Statistics.percentile(99, hundred)).isEqualTo(99);
    double[] fifty = IntStream.rangeClosed(1, 50).asDoubleStream().toArray();
    assertThat(Statistics.percentile(99, fifty)).isEqualTo(50);
    assertThat(Statistics.percentile(1, fifty)).isEqualTo(1);
  }

  @Test
  void nothingHasNoSummary() {
    assertThatThrownBy(Statistics::median).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Statistics.percentile(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
