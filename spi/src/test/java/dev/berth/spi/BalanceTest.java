package dev.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BalanceTest {
  private static final Balance.Host HOST = new Balance.Host(64, 512 * 1024, 4000 * 1024L, 8);

  /** Memory, disk and accelerator memory in GiB; an empty bound is none. */
  @ParameterizedTest(name = "{index}: {0} accelerators of {1} in all")
  @CsvSource(
      textBlock =
          """
          # gpus, vram, cpus, memory, disk, balance, expected
          1,  24,  ,     ,     , true,  8/48/48
          8, 192,  ,     ,     , true,  64/384/384
          8, 640,  ,     ,     , true,  64/512/640
          4, 320,  ,     ,     , true,  48/384/384
          1,  24,  ,     ,     , false, 8/48/48
          1,  24, 4-,  16-, 100-, true,  8/48/100
          1,  24, 4-,  16-, 100-, false, 4/16/100
          1,  24, -6,  -32,  -20, true,  6/32/20
          1,  24, 16-,    ,     , true,  16/48/48
          1,   1,  ,     ,     , true,  2/2/2
          1,   3, 5-5,    ,     , true,  5/6/6
          """)
  void theShapeSuitsTheAccelerators(
      int accelerators,
      int acceleratorGib,
      @Nullable String cpus,
      @Nullable String memory,
      @Nullable String disk,
      boolean balance,
      String expected) {
    Optional<Balance.Shape> shape =
        Balance.shape(
            HOST,
            accelerators,
            acceleratorGib * 1024L,
            filter(range(cpus, 1), range(memory, 1024), range(disk, 1024)),
            balance);
    assertThat(shape.map(BalanceTest::text)).contains(expected);
  }

  @Test
  void aHostThatHasTooLittleGivesNothing() {
    assertThat(shape(1, filter(Range.atLeast(49L), null, null))).isEmpty();
    assertThat(shape(1, filter(null, Range.atLeast(385L * 1024), null))).isEmpty();
    assertThat(shape(1, filter(null, null, Range.atLeast(3001L * 1024)))).isEmpty();
    assertThat(shape(9, OfferFilter.ANY)).isEmpty();
    assertThat(shape(0, OfferFilter.ANY)).isEmpty();
    assertThat(
            Balance.shape(new Balance.Host(1, 1024, 1024, 2), 2, 48 * 1024, OfferFilter.ANY, true))
        .isEmpty();
  }

  @Test
  void whoTakesAllAcceleratorsTakesTheWholeHost() {
    OfferFilter allCpus = filter(Range.atLeast(64L), null, null);
    assertThat(shape(8, allCpus).map(Balance.Shape::cpus)).contains(64);
    assertThat(shape(7, allCpus)).isEmpty();
  }

  private static Optional<Balance.Shape> shape(int accelerators, OfferFilter filter) {
    return Balance.shape(HOST, accelerators, accelerators * 24L * 1024, filter, true);
  }

  private static String text(Balance.Shape shape) {
    return shape.cpus() + "/" + shape.memoryMib() / 1024 + "/" + shape.diskMib() / 1024;
  }

  private static @Nullable Range<Long> range(@Nullable String text, long unit) {
    if (text == null) {
      return null;
    }
    int dash = text.indexOf('-');
    String min = text.substring(0, dash);
    String max = text.substring(dash + 1);
    return new Range<>(
        min.isEmpty() ? null : (Long) (Long.parseLong(min) * unit),
        max.isEmpty() ? null : (Long) (Long.parseLong(max) * unit));
  }

  private static OfferFilter filter(
      @Nullable Range<Long> cpus, @Nullable Range<Long> memory, @Nullable Range<Long> disk) {
    @Nullable Range<Integer> count = null;
    if (cpus != null) {
      count =
          new Range<>(
              cpus.min() == null ? null : (Integer) cpus.min().intValue(),
              cpus.max() == null ? null : (Integer) cpus.max().intValue());
    }
    return new OfferFilter(
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        count,
        null,
        memory,
        disk,
        OfferFilter.Gpu.ANY,
        null,
        null,
        null,
        false);
  }
}
