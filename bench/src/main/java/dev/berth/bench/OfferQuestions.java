package dev.berth.bench;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The questions that people ask of a catalog, one of each kind and size. */
final class OfferQuestions {
  private static final OfferFilter.Gpu ANY_GPU = gpu(Set.of(), Range.atLeast(1));

  private final List<OfferFilter> all = new ArrayList<>();

  private OfferQuestions() {}

  static List<OfferFilter> all() {
    OfferQuestions questions = new OfferQuestions();
    questions.addNames();
    questions.addMemory();
    questions.addPrices();
    questions.addPlaces();
    questions.addCapabilities();
    questions.addMachines();
    questions.addProviders();
    questions.addWhole();
    return List.copyOf(questions.all);
  }

  private void addNames() {
    for (String name :
        List.of(
            "H100",
            "h200",
            "A100",
            "L4",
            "L40S",
            "T4",
            "V100",
            "B200",
            "RTX4090",
            "RTX5090",
            "MI300X",
            "A10G",
            "RTXPRO6000",
            "v5litepod-8",
            "none")) {
      add(gpu(Set.of(name), null), null, null, Set.of());
    }
    add(gpu(Set.of("H100", "H200", "A100"), Range.exactly(8)), null, null, Set.of());
    add(gpu(Set.of("L4"), new Range<>(0, null)), null, null, Set.of());
  }

  private void addMemory() {
    for (int gib : new int[] {8, 24, 40, 80, 141}) {
      add(memory(Range.atLeast(gib * 1024L), null), null, null, Set.of());
    }
    add(memory(new Range<>(16 * 1024L, 24 * 1024L), null), null, null, Set.of());
    add(memory(null, Range.atLeast(320 * 1024L)), null, null, Set.of());
    add(memory(null, new Range<>(80 * 1024L, 160 * 1024L)), null, null, Set.of());
  }

  private void addPrices() {
    for (double price : new double[] {0.01, 0.1, 0.5, 1, 5, 20}) {
      add(OfferFilter.Gpu.ANY, null, new Range<>(null, price), Set.of());
      add(ANY_GPU, null, new Range<>(null, price), Set.of());
    }
    add(OfferFilter.Gpu.ANY, null, new Range<>(1.0, 2.0), Set.of());
    add(OfferFilter.Gpu.ANY, true, null, Set.of());
    add(OfferFilter.Gpu.ANY, false, null, Set.of());
    add(ANY_GPU, true, null, Set.of());
    add(gpu(Set.of("H100"), null), false, null, Set.of());
    add(OfferFilter.Gpu.ANY, false, new Range<>(0.5, 5.0), Set.of());
  }

  private void addPlaces() {
    add(OfferFilter.Gpu.ANY, null, null, Set.of("us-central1-a"));
    add(OfferFilter.Gpu.ANY, true, null, Set.of("us-central1-a", "us-central1-b"));
    add(ANY_GPU, null, null, Set.of("use1-az1"));
    add(gpu(Set.of("A100"), null), null, null, Set.of("europe-west4-a"));
    add(OfferFilter.Gpu.ANY, null, null, manyPlaces());
    add(OfferFilter.Gpu.ANY, false, null, manyPlaces());
    add(ANY_GPU, null, new Range<>(null, 20.0), manyPlaces());
  }

  /** A large part of two providers, as a continent would be. */
  private static Set<String> manyPlaces() {
    Set<String> places = new HashSet<>();
    for (String copy : List.of("", "~1", "~2", "~3", "~4", "~5", "~6", "~7", "~8", "~9")) {
      for (String region : List.of("use1", "use2", "usw1", "usw2")) {
        for (int zone = 1; zone <= 6; zone++) {
          places.add(region + "-az" + zone + copy);
        }
      }
      for (String region : List.of("us-central1", "us-east1", "us-east4", "us-west1")) {
        for (String zone : List.of("a", "b", "c", "d", "f")) {
          places.add(region + "-" + zone + copy);
        }
      }
    }
    return places;
  }

  private void addCapabilities() {
    for (int major : new int[] {7, 8, 9, 10}) {
      add(capability(Range.atLeast(new ComputeCapability(major, 0))), null, null, Set.of());
    }
    ComputeCapability ada = new ComputeCapability(8, 9);
    add(capability(Range.exactly(ada)), true, null, Set.of());
    for (AcceleratorVendor vendor : List.of(AcceleratorVendor.NVIDIA, AcceleratorVendor.AMD)) {
      add(new OfferFilter.Gpu(vendor, Set.of(), null, null, null, null), null, null, Set.of());
    }
  }

  private void addMachines() {
    for (int cpus : new int[] {2, 8, 32, 96}) {
      all.add(machine(Set.of(), Range.atLeast(cpus), Range.atLeast(cpus * 4096L), null));
    }
    all.add(machine(Set.of(), Range.exactly(4), null, null));
    all.add(machine(Set.of(), Range.atLeast(2), Range.atLeast(8192L), new Range<>(null, 1.0)));
  }

  private void addProviders() {
    for (String provider : List.of("aws", "GCP", "runpod", "oci", "verda")) {
      all.add(machine(Set.of(provider), null, null, null));
    }
    all.add(machine(Set.of("aws", "azure"), Range.atLeast(16), null, null));
  }

  private void addWhole() {
    all.add(OfferFilter.ANY);
    add(gpu(Set.of("A100", "H100"), Range.atLeast(1)), true, new Range<>(null, 30.0), Set.of());
  }

  private void add(
      OfferFilter.Gpu gpu,
      @Nullable Boolean spot,
      @Nullable Range<Double> price,
      Set<String> regions) {
    all.add(
        new OfferFilter(
            Set.of(), regions, Set.of(), Set.of(), Set.of(), null, null, null, null, gpu, spot,
            price, null, false));
  }

  private static OfferFilter machine(
      Set<String> providers,
      @Nullable Range<Integer> cpus,
      @Nullable Range<Long> memory,
      @Nullable Range<Double> price) {
    return new OfferFilter(
        providers,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        cpus,
        null,
        memory,
        null,
        OfferFilter.Gpu.ANY,
        null,
        price,
        null,
        false);
  }

  private static OfferFilter.Gpu gpu(Set<String> names, @Nullable Range<Integer> count) {
    return new OfferFilter.Gpu(null, names, count, null, null, null);
  }

  private static OfferFilter.Gpu memory(@Nullable Range<Long> each, @Nullable Range<Long> total) {
    return new OfferFilter.Gpu(null, Set.of(), Range.atLeast(1), each, total, null);
  }

  private static OfferFilter.Gpu capability(Range<ComputeCapability> capability) {
    return new OfferFilter.Gpu(null, Set.of(), null, null, null, capability);
  }
}
