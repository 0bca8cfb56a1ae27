package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.OfferRequest;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Questions for offers in the words of configuration files. */
class OfferQuestionTest {
  @Test
  void nothingIsAddedToWhatIsAsked() {
    assertThat(OfferQuestion.filter(request(null, null, null, null))).isEqualTo(OfferFilter.ANY);
  }

  @Test
  void eachPartMeansWhatItMeansInFiles() {
    OfferFilter filter =
        OfferQuestion.filter(
            request("nvidia:A100,H100:80GB:2..8", "arm:4..", "8GB..64GB", "1TB.."));
    assertThat(filter.gpu())
        .isEqualTo(
            new OfferFilter.Gpu(
                AcceleratorVendor.NVIDIA,
                Set.of("A100", "H100"),
                new Range<>(2, 8),
                Range.exactly(81_920L),
                null,
                null));
    assertThat(filter.arch()).isEqualTo(CpuArchitecture.ARM);
    assertThat(filter.cpus()).isEqualTo(Range.atLeast(4));
    assertThat(filter.memoryMib()).isEqualTo(new Range<>(8_192L, 65_536L));
    assertThat(filter.diskMib()).isEqualTo(Range.atLeast(1_048_576L));
  }

  @Test
  void aWrongPartIsNamed() {
    assertWrong("gpu", request("x:y", null, null, null));
    assertWrong("gpu", request("80GB:40GB", null, null, null));
    assertWrong("gpu", request("", null, null, null));
    assertWrong("cpu", request(null, "many", null, null));
    assertWrong("memory", request(null, null, "8..4GB", null));
    assertWrong("disk", request(null, null, null, "-1GB"));
    assertWrong("countries", with(List.of("Germany"), null));
    assertWrong("max_price", with(List.of(), Double.NaN));
    assertWrong("max_price", with(List.of(), -1.0));
  }

  private static void assertWrong(String field, OfferRequest request) {
    assertThatThrownBy(() -> OfferQuestion.filter(request))
        .isInstanceOfSatisfying(
            OfferQuestion.WrongException.class,
            wrong -> assertThat(wrong.field()).isEqualTo(field));
  }

  private static OfferRequest request(
      @Nullable String gpu, @Nullable String cpu, @Nullable String memory, @Nullable String disk) {
    return new OfferRequest(
        gpu, cpu, memory, disk, null, null, List.of(), List.of(), List.of(), List.of(), false, null,
        List.of());
  }

  private static OfferRequest with(List<String> countries, @Nullable Double maxPrice) {
    return new OfferRequest(
        null, null, null, null, null, maxPrice, List.of(), List.of(), countries, List.of(), false,
        null, List.of());
  }
}
