package dev.berth.control;

import dev.berth.model.Accelerator;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Boot;
import dev.berth.model.Container;
import dev.berth.model.Endpoint;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSecrets;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.MachineRequest;
import dev.berth.model.Member;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.PolicyBound;
import dev.berth.model.Project;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.RunPolicy;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.SecretRef;
import dev.berth.model.SecretText;
import dev.berth.model.StoredSecret;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.Webhook;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.Range;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.model.offers.CatalogItem;
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
    return Stream.of(
        run(),
        job(),
        attempt(),
        placement(),
        resource(),
        instance(),
        fleet(),
        user(),
        project(),
        member(),
        token(),
        secret(),
        new Webhook("chat", 42, 1, NOON));
  }

  private static User user() {
    return new User(
        "ann",
        User.Role.ADMIN,
        NOON,
        NOON.plusSeconds(60),
        new User.Identity("https://login.example.com", "248289761001"));
  }

  private static Project project() {
    return new Project("lab", NOON, NOON.plusSeconds(60));
  }

  private static Member member() {
    return new Member("lab", "ann", Member.Role.MANAGER, NOON);
  }

  private static Token token() {
    return new Token(
        "t1",
        "ann",
        "laptop",
        "0badcafe",
        new Token.Scope("lab", Member.Role.VIEWER),
        NOON,
        NOON.plusSeconds(3_600),
        NOON.plusSeconds(60));
  }

  private static StoredSecret secret() {
    return new StoredSecret("lab", "hub_token", "v1:0badcafe:AAAA", NOON, NOON.plusSeconds(60));
  }

  private static JobSecrets secrets() {
    SecretText text =
        new SecretText(
            List.of(
                SecretText.Piece.of("Bearer "),
                SecretText.Piece.of(new SecretRef("main", "hub_token"))));
    return new JobSecrets(Map.of("HUB", text), new JobSecrets.Login(text, text));
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
        new RunPolicy(
            7,
            new RetryPolicy(List.of(RetryEvent.INTERRUPTION), Duration.ofHours(1)),
            StartupOrder.MASTER_FIRST,
            StopCriteria.MASTER_DONE,
            List.of("r0"),
            List.of("0 8 * * mon")),
        RunStatus.FAILED,
        RunReason.JOB_FAILED,
        "the commands ended with exit code 3",
        3,
        "local",
        10.0,
        0.25,
        NOON,
        NOON.plusMillis(90_500),
        2,
        NOON,
        NOON.plusSeconds(60),
        new Work(List.of(new Work.Node(spec(), wishes())), 3, 1));
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
        List.of(new JobSpec.File("/home/ann/data", "data", "main/" + "0123456789abcdef".repeat(4))),
        Duration.ofMinutes(5),
        Duration.ofHours(2),
        new JobSpec.Requirements(2, 1_024L, 2_048L, 1, List.of("T4"), 16_384L),
        new UtilizationPolicy(20, Duration.ofMinutes(30)),
        secrets());
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
        NOON.plusMillis(90_500),
        NOON.plusSeconds(80),
        List.of("the ulimit nofile was left out"));
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
        List.of(wishes()),
        7,
        "0badcafe",
        2,
        NOON.plusSeconds(15),
        NOON);
  }

  private static Wishes wishes() {
    return new Wishes(
        "main",
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
        Container.of("ubuntu:24.04")
            .withShm(1_024L)
            .withPorts(List.of(8_080), Map.of(80, 8_080))
            .inRun("r1"),
        new Wishes.Machines(
            true,
            List.of("gpus"),
            List.of("gpus-0"),
            Duration.ofMinutes(5),
            "cr-1",
            Map.of("team", "ml")),
        List.of(
            new PolicyBound(
                "budget",
                List.of("cloud"),
                List.of("eu-*"),
                List.of(),
                List.of(),
                List.of(),
                List.of("p5.*"),
                true,
                2.5,
                4)),
        true);
  }

  private static Fleet fleet() {
    return new Fleet(
        "f1",
        "main",
        "ann",
        "gpus",
        Map.of("type", "fleet"),
        new Fleet.Spec(
            wishes(), new FleetNodes(1, 2, 3), true, 4, Duration.ofDays(3), Map.of("a", "b")),
        Fleet.Status.ACTIVE,
        false,
        5,
        1,
        List.of("cloud/eu-1/big"),
        "a machine is missing",
        NOON,
        NOON.plusSeconds(60));
  }

  private static Resource resource() {
    return new Resource(
        "r1-0-0-1",
        "main",
        "r1-0-0-1",
        "here",
        ResourceType.JOB,
        Resource.State.LEAVING,
        new Resource.Ref("i-7", "eu-1", Map.of("disk", "d-7")),
        "r1-0-0-1-kill",
        NOON.plusSeconds(30),
        2,
        3,
        NOON,
        "m1");
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
        List.of(new Accelerator("gpu-0", "nvidia", "T4", 16_384)),
        Map.of("r1-0-0-1", share()),
        1.5,
        new Purchase(
            "cloud",
            item(),
            place(),
            "f1",
            0,
            1,
            "f1-g0",
            NOON,
            NOON.plusSeconds(600),
            Duration.ofMinutes(5),
            NOON.plusSeconds(100),
            null,
            "10.0.0.7",
            InstanceReason.IDLE_TIMEOUT,
            "nobody used it",
            true,
            new Endpoint(
                "10.0.0.7",
                2_222,
                "ubuntu",
                "172.16.0.7",
                new Endpoint.Jump("jump.example", 22, "guest"),
                "ssh-ed25519 AAAA")));
  }

  private static ResourceVector share() {
    return new ResourceVector(1, 2, 1_024, 2_048, Set.of("gpu-0"));
  }

  private static CatalogItem item() {
    return new CatalogItem(
        "cloud",
        "large",
        "eu-1",
        "eu-1a",
        1.5,
        8,
        CpuArchitecture.X86,
        16_384,
        new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "T4", 1, 16_384),
        null,
        true,
        List.of(),
        "{}",
        List.of());
  }

  private static Place place() {
    return new Place(
        "eu-1", "eu-1a", "large", true, 1.5, "{}", null, null, "1xT4-16384mib,8cpu-x86,16384mib");
  }

  static Action action() {
    return action(new Operation.StartJob(new JobRequest("r1-0-0-1", spec(), share())));
  }

  /** One that asks for a machine, whole. */
  static Action creation() {
    return action(
        new Operation.Create(
            new MachineRequest(
                place(),
                item(),
                "gpus-0",
                1_024L,
                Map.of("team", "ml"),
                new MachineRequest.Group("f1-g0", new Resource.Ref("pg-1", "eu-1", Map.of())),
                new Boot("#!/bin/sh", List.of("ssh-ed25519 AAAA")),
                41L)));
  }

  private static Action action(Operation operation) {
    return new Action(
        "r1-0-0-1-start",
        operation,
        "r1-0-0-1",
        "here",
        Action.State.PENDING,
        2,
        NOON.plusSeconds(2),
        NOON.plusSeconds(600),
        "m1");
  }
}
