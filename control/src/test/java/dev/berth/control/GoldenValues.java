package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Container;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.Wishes;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nouns of the golden files, with every component set. */
final class GoldenValues {
  static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private GoldenValues() {}

  static Stream<Entity> entities() {
    return Stream.of(run(), job(), attempt(), placement(), resource(), instance());
  }

  private static Run run() {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("name", null);
    configuration.put("commands", List.of("echo hello"));
    configuration.put("resources", Map.of("cpu", Map.of("count", 2)));
    return new Run(
        "r1",
        "main",
        "ann",
        "hello",
        "task",
        configuration,
        RunStatus.FAILED,
        RunReason.JOB_FAILED,
        "the commands ended with exit code 3",
        3,
        "local",
        10.0,
        0.25,
        NOON,
        NOON.plusMillis(90_500));
  }

  private static Job job() {
    return new Job(
        "r1-0-0",
        "main",
        "r1",
        0,
        0,
        List.of("r1-0-9"),
        true,
        List.of(new Job.Artifact("data", "/in")),
        List.of(new Job.Artifact("model", "/out")),
        spec(),
        JobStatus.FAILED,
        JobReason.CONTAINER_EXITED_WITH_ERROR);
  }

  private static JobSpec spec() {
    return new JobSpec(
        "bash",
        List.of("echo hello", "exit 3"),
        "/work",
        Map.of("COLOUR", "blue"),
        List.of(new JobSpec.File("/home/ann/data", "data")),
        Duration.ofMinutes(5),
        Duration.ofHours(2),
        new JobSpec.Requirements(2, 1_024L, 2_048L, 1, List.of("T4"), 16_384L));
  }

  private static Attempt attempt() {
    return new Attempt(
        "r1-0-0-1",
        "main",
        "r1",
        "r1-0-0",
        1,
        "r1-0-p1",
        JobStatus.FAILED,
        JobReason.CONTAINER_EXITED_WITH_ERROR,
        "the commands ended with exit code 3",
        3,
        "m1",
        "here",
        1.5,
        NOON,
        NOON.plusSeconds(1),
        NOON.plusMillis(90_500));
  }

  private static Placement placement() {
    return new Placement(
        "r1-0-p1",
        "main",
        "r1",
        0,
        Placement.State.READY,
        List.of("r1-0-0-1"),
        List.of("m0"),
        NOON,
        new Wishes(
            List.of("cloud"),
            new OfferFilter(
                Set.of(),
                Set.of("eu-1"),
                Set.of(),
                Set.of(),
                Set.of(),
                Range.atLeast(2),
                CpuArchitecture.X86,
                Range.atLeast(8_192L),
                null,
                new OfferFilter.Gpu(
                    AcceleratorVendor.NVIDIA,
                    Set.of("A100"),
                    Range.exactly(1),
                    null,
                    null,
                    Range.atLeast(new ComputeCapability(8, 0))),
                false,
                new Range<>(null, 2.5),
                null,
                false),
            Container.of("ubuntu:24.04")));
  }

  private static Resource resource() {
    return new Resource(
        "r1-0-0-1",
        "main",
        "r1-0-0-1",
        "here",
        Resource.Type.JOB,
        Resource.State.LEAVING,
        "pid 7",
        "r1-0-0-1-kill",
        NOON.plusSeconds(30));
  }

  private static Instance instance() {
    return new Instance(
        "m1",
        "",
        "my-machine",
        "here",
        "home",
        Instance.Status.BUSY,
        new ResourceVector(32, 8, 16_384, 100_000, Set.of("gpu-0")),
        List.of(new Instance.Device("gpu-0", "nvidia", "T4", 16_384)),
        Map.of("r1-0-0-1", share()),
        1.5);
  }

  private static ResourceVector share() {
    return new ResourceVector(1, 2, 1_024, 2_048, Set.of("gpu-0"));
  }

  static Action action() {
    return new Action(
        "r1-0-0-1-start",
        Action.Type.START_JOB,
        "r1-0-0-1",
        "here",
        new JobRequest("r1-0-0-1", spec(), share()),
        Duration.ofSeconds(10),
        Action.State.PENDING,
        2,
        NOON.plusSeconds(2),
        NOON.plusSeconds(600));
  }
}
