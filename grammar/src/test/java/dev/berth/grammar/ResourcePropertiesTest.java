package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random resources, written by one rule and read back by another. */
final class ResourcePropertiesTest {
  private static final int ROUNDS = 5_000;
  private static final Map<String, AcceleratorVendor> VENDORS =
      new TreeMap<>(
          Map.of(
              "nvidia", AcceleratorVendor.NVIDIA,
              "amd", AcceleratorVendor.AMD,
              "google", AcceleratorVendor.GOOGLE,
              "tpu", AcceleratorVendor.GOOGLE,
              "intel", AcceleratorVendor.INTEL,
              "tenstorrent", AcceleratorVendor.TENSTORRENT,
              "tt", AcceleratorVendor.TENSTORRENT));

  /** A spelling and what it stands for. */
  private record Spelled<T>(String text, T value) {}

  private static Spelled<Range<Integer>> counts(Seeded random) {
    int min = random.from(0, 64);
    int max = random.from(min, 128);
    return switch (random.from(0, 3)) {
      case 0 -> new Spelled<>(random.spaces() + min + random.spaces(), Range.exactly(min));
      case 1 -> new Spelled<>(min + random.spaces() + "..", Range.atLeast(min));
      case 2 -> new Spelled<>(".." + random.spaces() + max, new Range<>(null, max));
      default ->
          new Spelled<>(
              min + random.spaces() + ".." + random.spaces() + max, new Range<>(min, max));
    };
  }

  /** A number with quarters, so that whole mebibytes can be told without rounding decimals. */
  private static Spelled<Size> size(Seeded random, boolean needsUnit) {
    int quarters = random.from(0, 4_000);
    List<String> fractions = List.of("", ".25", ".5", ".75");
    String number = quarters / 4 + fractions.get(quarters % 4);
    return switch (random.from(needsUnit ? 0 : -1, 2)) {
      case 0 -> new Spelled<>(number + random.anyCase("mb"), new Size((quarters + 2) / 4));
      case 1 -> new Spelled<>(number + random.anyCase("gb"), new Size(quarters * 256L));
      case 2 -> new Spelled<>(number + random.anyCase("tb"), new Size(quarters * 262_144L));
      default -> new Spelled<>(number, new Size(quarters * 256L));
    };
  }

  private static Spelled<Range<Size>> sizes(Seeded random, boolean needsUnit) {
    Spelled<Size> one = size(random, needsUnit);
    Spelled<Size> other = size(random, needsUnit);
    boolean inOrder = one.value().compareTo(other.value()) <= 0;
    Spelled<Size> min = inOrder ? one : other;
    Spelled<Size> max = inOrder ? other : one;
    return switch (random.from(0, 3)) {
      case 0 -> new Spelled<>(one.text(), Range.exactly(one.value()));
      case 1 -> new Spelled<>(one.text() + "..", Range.atLeast(one.value()));
      case 2 -> new Spelled<>(".." + one.text(), new Range<>(null, one.value()));
      default ->
          new Spelled<>(
              min.text() + ".." + random.spaces() + max.text(),
              new Range<>(min.value(), max.value()));
    };
  }

  private static <T> void assertReads(Shape<T> shape, Spelled<T> spelled) {
    assertThat(ReadOne.of(shape, spelled.text()))
        .as(spelled.text())
        .isEqualTo(new ReadOne<>(spelled.value(), 0));
  }

  @Test
  void rangesOfCountsAreReadAsTheyAreWritten() {
    Seeded.repeat(
        "ranges of counts", ROUNDS, random -> assertReads(RangeShape.COUNT, counts(random)));
  }

  @Test
  void sizesAreReadAsTheyAreWritten() {
    Seeded.repeat("sizes", ROUNDS, random -> assertReads(Sizes.SIZE, size(random, false)));
  }

  @Test
  void rangesOfSizesAreReadAsTheyAreWritten() {
    Seeded.repeat(
        "ranges of sizes", ROUNDS, random -> assertReads(RangeShape.SIZE, sizes(random, false)));
  }

  @Test
  void processorsAreReadAsTheyAreWritten() {
    Seeded.repeat(
        "processors",
        ROUNDS,
        random -> {
          Spelled<Range<Integer>> count = counts(random);
          CpuArchitecture architecture =
              random.oneOf(List.of(CpuArchitecture.ARM, CpuArchitecture.X86));
          String word = random.anyCase(architecture == CpuArchitecture.ARM ? "arm" : "x86");
          Spelled<CpuSpec> spelled =
              switch (random.from(0, 3)) {
                case 0 -> new Spelled<>(word, new CpuSpec(architecture, null));
                case 1 -> new Spelled<>(count.text(), new CpuSpec(null, count.value()));
                case 2 ->
                    new Spelled<>(
                        count.text() + ":" + word, new CpuSpec(architecture, count.value()));
                default ->
                    new Spelled<>(
                        word + ":" + count.text(), new CpuSpec(architecture, count.value()));
              };
          assertReads(Resources.CPU, spelled);
        });
  }

  @Test
  void acceleratorsAreReadInAnyOrderOfTheirParts() {
    Seeded.repeat("accelerators", ROUNDS, random -> assertReads(Resources.GPU, gpu(random)));
  }

  private static Spelled<GpuSpec> gpu(Seeded random) {
    List<String> parts = new ArrayList<>();
    AcceleratorVendor vendor = null;
    if (random.coin()) {
      String word = random.oneOf(List.copyOf(VENDORS.keySet()));
      vendor = VENDORS.get(word);
      parts.add(random.anyCase(word));
    }
    List<String> names =
        random
            .shuffled(List.of("A100", "H100", "RTX4090", "MI300X", "v5litepod-8", "L40S"))
            .subList(0, random.from(0, 3));
    if (!names.isEmpty()) {
      parts.add(String.join("," + random.spaces(), names));
    }
    @Nullable Range<Size> memory = null;
    if (random.coin()) {
      Spelled<Range<Size>> spelled = sizes(random, true);
      memory = spelled.value();
      parts.add(spelled.text());
    }
    Range<Integer> count = Range.atLeast(1);
    if (random.coin() || parts.isEmpty()) {
      Spelled<Range<Integer>> spelled = counts(random);
      count = spelled.value();
      parts.add(spelled.text());
    }
    return new Spelled<>(
        String.join(":" + random.spaces(), random.shuffled(parts)),
        new GpuSpec(vendor, names, count, memory, null, null));
  }
}
