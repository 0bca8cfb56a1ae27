package dev.berth.decisions;

import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.InstanceSelector;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Size;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.task.TaskPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Machines, offers and tasks by chance; the same seed gives the same ones. */
final class RandomWorld {
  private static final List<String> GPUS = List.of("T4", "A100", "H100");
  private static final Map<String, Long> GPU_MEMORY =
      Map.of("T4", 16_384L, "A100", 81_920L, "H100", 81_920L);

  private final Random random;

  RandomWorld(long seed) {
    this.random = new Random(seed);
  }

  OfferView market() {
    List<Candidate> offers = new ArrayList<>();
    int count = 4 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      offers.add(offer(i));
    }
    return OfferView.of(offers, true, Instant.MAX);
  }

  private Candidate offer(int number) {
    String backend = any("north", "south");
    String region = any("eu-1", "us-1");
    boolean zoned = random.nextBoolean();
    boolean machines = random.nextInt(4) > 0;
    Candidate.Abilities abilities =
        new Candidate.Abilities(
            machines,
            random.nextBoolean(),
            random.nextBoolean(),
            random.nextBoolean(),
            false,
            Duration.ofMinutes(10));
    CatalogItem item =
        new CatalogItem(
            "cloud",
            any("small", "large") + number,
            region,
            null,
            0.1 + random.nextInt(80) / 10.0,
            1 << (1 + random.nextInt(6)),
            random.nextInt(4) > 0 ? CpuArchitecture.X86 : CpuArchitecture.ARM,
            4_096L << random.nextInt(7),
            random.nextBoolean() ? null : gpu(),
            random.nextBoolean() ? null : 51_200L << random.nextInt(4),
            random.nextInt(3) == 0,
            List.of(),
            CatalogItem.NO_PROVIDER_DATA,
            List.of());
    return new Candidate(
        backend,
        backend.equals("north") ? "cloud" : "other",
        item,
        // The first can always be had, so that something could always help.
        number == 0 || random.nextInt(4) > 0 ? Availability.AVAILABLE : Availability.NOT_AVAILABLE,
        zoned ? List.of(region + "-a", region + "-b") : List.of(),
        abilities);
  }

  private CatalogItem.Gpu gpu() {
    String name = GPUS.get(random.nextInt(GPUS.size()));
    return new CatalogItem.Gpu(
        AcceleratorVendor.NVIDIA,
        name,
        1 << random.nextInt(4),
        Objects.requireNonNull(GPU_MEMORY.get(name)));
  }

  /** Machines that are there by themselves, and that nobody uses. */
  List<Instance> machines() {
    List<Instance> machines = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      machines.add(
          Machines.machine(
              "own" + i,
              new ResourceVector(
                  4, 1 << random.nextInt(4), 2_048L << random.nextInt(5), 102_400, Set.of()),
              List.of()));
    }
    return machines;
  }

  /** A task all of whose resources are written, so that own machines look at them. */
  RunSpec run() {
    return spec(task());
  }

  static RunSpec spec(TaskConfiguration task) {
    return new TaskPlanner()
        .plan(new PlanRequest<>(Scenario.PROJECT, task, task, List.of(), ContainerImages.USUAL))
        .spec();
  }

  TaskConfiguration task() {
    RunSettings run =
        new RunSettings(
            null,
            null,
            null,
            random.nextInt(8) == 0,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            new ResourcesSpec(
                sometimes(
                    2,
                    () ->
                        new CpuSpec(
                            sometimes(4, () -> any(CpuArchitecture.X86, CpuArchitecture.ARM)),
                            sometimes(2, () -> Range.atLeast(1 << random.nextInt(8))))),
                sometimes(2, () -> Range.atLeast(new Size(4_096L << random.nextInt(9)))),
                null,
                sometimes(2, this::wantedGpu),
                sometimes(
                    3, () -> new DiskSpec(Range.atLeast(new Size(51_200L << random.nextInt(5)))))),
            null,
            List.of(),
            null,
            List.of(),
            List.of(),
            false);
    return new TaskConfiguration(
        run,
        profile(),
        List.of("true"),
        List.of(),
        sometimes(5, () -> 2 + random.nextInt(2)),
        null);
  }

  private GpuSpec wantedGpu() {
    return new GpuSpec(
        sometimes(5, () -> any(AcceleratorVendor.NVIDIA, AcceleratorVendor.AMD)),
        random.nextBoolean() ? List.of() : List.of(any("T4", "A100", "H100", "B200")),
        random.nextInt(6) == 0 ? Range.atLeast(0) : Range.atLeast(1 << random.nextInt(5)),
        sometimes(3, () -> Range.atLeast(Size.gib(8L << random.nextInt(6)))),
        sometimes(5, () -> Range.atLeast(Size.gib(64L << random.nextInt(5)))),
        sometimes(6, () -> new ComputeCapability(9, 0)));
  }

  private ProfileParams profile() {
    return new ProfileParams(
        sometimes(4, () -> List.of(any("north", "south", "cloud", "none", Machines.BACKEND))),
        sometimes(4, () -> List.of(any("eu-1", "us-1", "asia-1"))),
        sometimes(6, () -> List.of(any("eu-1-a", "us-1-b", "eu-1-z"))),
        sometimes(8, () -> List.of(any("small0", "large1", "huge"))),
        sometimes(10, () -> "reserved"),
        any(null, SpotPolicy.ON_DEMAND, SpotPolicy.SPOT, SpotPolicy.AUTO),
        null,
        null,
        null,
        sometimes(3, () -> 0.05 + random.nextInt(40) / 10.0),
        sometimes(12, () -> CreationPolicy.REUSE),
        null,
        null,
        null,
        null,
        null,
        sometimes(12, () -> List.of(new EntityReference(null, "nobody"))),
        sometimes(12, () -> List.of(new InstanceSelector.ByName("nowhere"))),
        null,
        null);
  }

  private <T> @Nullable T sometimes(int oneIn, Supplier<T> value) {
    return random.nextInt(oneIn) == 0 ? value.get() : null;
  }

  @SafeVarargs
  private <T extends @Nullable Object> T any(T... values) {
    return values[random.nextInt(values.length)];
  }
}
