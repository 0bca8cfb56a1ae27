package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Message;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Candidate;
import dev.berth.model.Endpoint;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.MachineFacts;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The machines on which Berth runs jobs, followed by one thread. */
final class MachineLinksTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final String BACKEND = "cloud";
  private static final String MACHINE = "r1-0-0-1-m";

  private final FakeRuntime runtime = new FakeRuntime();
  private final SettableClock clock = new SettableClock();
  private final Map<String, Compute> backends = new ConcurrentHashMap<>(Map.of(BACKEND, runtime));
  private final ActiveSet active = new ActiveSet();
  private final List<Message> seen = new ArrayList<>();

  /** How busy the accelerators of jobs are. */
  private final Map<String, List<Integer>> busy = new HashMap<>();

  /** Where machines were connected to. */
  private final List<Endpoint> connected = new ArrayList<>();

  private final MachineLinks links =
      new MachineLinks(
          new Connector(),
          backends,
          Samples.sweeps(clock),
          clock,
          (_, message) -> seen.add(message));

  /** Connects to every machine at once. */
  private final class Connector implements MachineConnector {
    @Override
    public Optional<Equipment> equipmentOn(Compute backend) {
      return Optional.of(new Equipment(Candidate.Execution.PROCESSES, Boots.NONE));
    }

    @Override
    public Connection connect(Machine machine) {
      connected.add(machine.endpoint());
      return new Connection() {
        @Override
        public JobRuntime jobs() {
          return runtime;
        }

        @Override
        public MachineFacts facts() {
          return MachineFacts.AS_OFFERED;
        }

        @Override
        public Optional<GpuMetrics> gpuMetrics() {
          return Optional.of(_ -> busy);
        }

        @Override
        public void close() {}
      };
    }
  }

  private static Instance machine(Instance.Status status, @Nullable String address) {
    Purchase purchase =
        new Purchase(
            "sim",
            new CatalogItem(
                "sim",
                "small",
                "north",
                null,
                1,
                8,
                CpuArchitecture.X86,
                16_384,
                null,
                null,
                false,
                List.of(),
                "{}",
                List.of()),
            new Place("north", null, "small", false, 1, "", null, null),
            "f1",
            0,
            1,
            null,
            NOON,
            NOON.plusSeconds(600),
            Duration.ofMinutes(5),
            null,
            null,
            address,
            null,
            null);
    return new Instance(
        MACHINE,
        "main",
        "f1-0",
        BACKEND,
        "north",
        status,
        new ResourceVector(32, 8, 16_384, 100_000, Set.of()),
        List.of(),
        Map.of(),
        1,
        purchase.equipped(true));
  }

  private static Resource resource(Resource.State state) {
    Resource.Ref ref = new Resource.Ref("i-1", "north", Map.of());
    return new Resource(
        MACHINE,
        "main",
        MACHINE,
        BACKEND,
        ResourceType.INSTANCE,
        state,
        state == Resource.State.ASKED ? null : ref,
        null,
        null);
  }

  private void commit(Entity... written) {
    for (Entity entity : written) {
      active.load(entity);
      links.written(entity);
    }
    links.committed(active);
  }

  /** A server has started, and read what is there. */
  private void start(Entity... there) {
    for (Entity entity : there) {
      active.load(entity);
    }
    links.lookAtAll();
    links.committed(active);
  }

  private void connect() {
    links.parts().forEach(part -> part.step().run());
  }

  private void startOnConnectedMachine() {
    start(machine(Instance.Status.BUSY, "folder:/m1"), resource(Resource.State.PRESENT));
    connect();
    assertThat(links.require(MACHINE)).contains(runtime);
  }

  private void assertOutOfReach() {
    assertThatThrownBy(() -> links.require(MACHINE))
        .isInstanceOf(BackendException.Transient.class)
        .hasMessageStartingWith("the machine cannot be reached now: ");
  }

  @Test
  void nothingIsGoneBeforeTheActiveMachinesAreKnown() {
    assertOutOfReach();
    start(machine(Instance.Status.BUSY, "folder:/m1"), resource(Resource.State.PRESENT));
    assertOutOfReach();
    connect();
    assertThat(links.require(MACHINE)).contains(runtime);
  }

  @Test
  void aMachineThatIsNotActiveIsGone() {
    start();
    assertThat(links.require(MACHINE)).isEmpty();
  }

  @Test
  void aMachineOfABackendThatIsOpenAgainIsNotGone() {
    startOnConnectedMachine();
    backends.remove(BACKEND);
    links.lookAtAll();
    links.committed(active);
    assertOutOfReach();
    backends.put(BACKEND, runtime);
    links.lookAtAll();
    assertOutOfReach();
    links.committed(active);
    connect();
    assertThat(links.require(MACHINE)).contains(runtime);
  }

  @Test
  void aMachineWithoutAnAddressIsNotGone() {
    startOnConnectedMachine();
    commit(machine(Instance.Status.BUSY, null));
    assertOutOfReach();
    commit(machine(Instance.Status.BUSY, "folder:/elsewhere"));
    assertOutOfReach();
    connect();
    assertThat(links.require(MACHINE)).contains(runtime);
  }

  @Test
  void aMachineIsConnectedToWithAllThatIsKnownOfItsAddress() {
    Endpoint known = new Endpoint("m1.example", 2222, "ubuntu", null, null, "ssh-ed25519 AAAA");
    Endpoint other = new Endpoint("m1.example", 2222, "ubuntu", null, null, "ssh-ed25519 BBBB");
    start(machine(Instance.Status.BUSY, null).at(known), resource(Resource.State.PRESENT));
    connect();
    commit(machine(Instance.Status.BUSY, null).at(other));
    connect();
    assertThat(connected).containsExactly(known, other);
  }

  @Test
  void aMachineThatItsProviderHasNotNamedIsNotGone() {
    start();
    commit(machine(Instance.Status.PENDING, null), resource(Resource.State.ASKED));
    assertOutOfReach();
  }

  @Test
  void aMachineIsNotGoneUntilItsProviderShowsThat() {
    startOnConnectedMachine();
    commit(machine(Instance.Status.TERMINATING, "folder:/m1"), resource(Resource.State.LEAVING));
    assertThat(links.require(MACHINE)).contains(runtime);
    commit(machine(Instance.Status.TERMINATED, "folder:/m1"), resource(Resource.State.GONE));
    assertThat(links.require(MACHINE)).isEmpty();
  }

  @Test
  void aMachineThatWasGoneWhenEverythingWasReadAgainIsGone() {
    startOnConnectedMachine();
    active.load(machine(Instance.Status.TERMINATED, "folder:/m1"));
    active.load(resource(Resource.State.GONE));
    links.lookAtAll();
    links.committed(active);
    assertThat(links.require(MACHINE)).isEmpty();
  }

  /** Steps nothing, and lets calls wait. */
  private static final class Patient implements MachineLinks.Driver {
    @Override
    public void begin(MachineLink link) {}

    @Override
    public void end(MachineLink link) {
      link.close();
    }

    @Override
    public Duration patience() {
      return Duration.ofMinutes(5);
    }
  }

  /** A start that a server before us may have made. */
  private FutureTask<ActionOutcome> repeatedStart() {
    ActionCalls calls =
        new ActionCalls(
            backends,
            links,
            new Owner("tests"),
            clock,
            FailPoint.Observer.NONE,
            SecretSource.NONE,
            ReleaseGate.NONE,
            Leadership.KEPT);
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    Action action =
        new Action(
            "a1-start",
            new Operation.StartJob(new JobRequest("a1", spec, ResourceVector.NOTHING)),
            "a1",
            BACKEND,
            Action.State.IN_FLIGHT,
            1,
            null,
            NOON,
            MACHINE);
    return new FutureTask<>(() -> calls.call(action, true));
  }

  private static void startAndAwaitWaiting(FutureTask<?> call) {
    Thread caller = Thread.ofPlatform().daemon().start(call);
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      assertThat(call.isDone()).as("it does not wait").isFalse();
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(60)
  void aRepeatedCallWaitsUntilItsMachineIsConnected() throws Exception {
    links.driveBy(new Patient());
    FutureTask<ActionOutcome> call = repeatedStart();
    startAndAwaitWaiting(call);
    start(machine(Instance.Status.BUSY, "folder:/m1"), resource(Resource.State.PRESENT));
    connect();
    assertThat(call.get()).isInstanceOf(ActionOutcome.Done.class);
    assertThat(runtime.calls).containsExactly("start a1");
  }

  @Test
  @Timeout(60)
  void aRepeatedCallDoesNotWaitForAMachineThatIsGone() throws Exception {
    links.driveBy(new Patient());
    FutureTask<ActionOutcome> call = repeatedStart();
    startAndAwaitWaiting(call);
    start();
    assertThat(((ActionOutcome.Failed) call.get()).message())
        .isEqualTo("the machine of the job is gone");
  }

  @Test
  @Timeout(60)
  void aRepeatedCallDoesNotWaitForLinksThatItsOwnThreadSteps() throws Exception {
    start(machine(Instance.Status.BUSY, "folder:/m1"), resource(Resource.State.PRESENT));
    FutureTask<ActionOutcome> call = repeatedStart();
    call.run();
    ActionOutcome.Failed failed = (ActionOutcome.Failed) call.get();
    assertThat(failed.message()).startsWith("the machine cannot be reached now: ");
    assertThat(failed.lookAfter()).as("somebody may have made it").isNotNull();
    assertThat(runtime.calls).isEmpty();
  }

  /** Keeps the link that was begun last, and steps nothing. */
  private static final class Kept implements MachineLinks.Driver {
    private @Nullable MachineLink link;

    @Override
    public void begin(MachineLink begun) {
      link = begun;
    }

    @Override
    public void end(MachineLink ended) {
      ended.close();
    }
  }

  /** A running attempt that is ended where an accelerator is used less than half for a minute. */
  private Attempt attempt() {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE,
            new UtilizationPolicy(50, Duration.ofMinutes(1)));
    Job job =
        new Job(
            "r1-0-0",
            "main",
            "r1",
            0,
            0,
            List.of(),
            true,
            List.of(),
            List.of(),
            spec,
            JobStatus.RUNNING,
            null);
    active.load(job);
    return Attempt.of(job, 1, "r1-0-p1", clock.instant())
        .placedOn(machine(Instance.Status.BUSY, "folder:/m1"), 1)
        .running(clock.instant());
  }

  @Test
  void whatJobsUseIsMeasuredWhileTheyRun() {
    Kept kept = new Kept();
    links.driveBy(kept);
    startOnConnectedMachine();
    MachineLink link = Objects.requireNonNull(kept.link);
    Attempt attempt = attempt();
    ResourceVector share = new ResourceVector(1, 1, 1, 1, Set.of("g1"));
    commit(machine(Instance.Status.BUSY, "folder:/m1").allocate(attempt.id(), share), attempt);
    JobUsage use = new JobUsage(clock.instant(), Duration.ofSeconds(3), 1024, null);
    runtime.uses.put(attempt.id(), use);
    busy.put(attempt.id(), List.of(49));
    link.usage().step();
    assertThat(links.usage())
        .singleElement()
        .returns(attempt.id(), MeasuredJob::attemptId)
        .returns(BACKEND, MeasuredJob::backend)
        .returns(use, MeasuredJob::usage)
        .returns(List.of(49), MeasuredJob::gpuUtilisation);

    ControlStep accelerators = links.parts().getLast();
    for (int i = 0; i <= 7; i++) {
      assertThat(accelerators.next().apply(clock.instant())).contains(clock.instant());
      accelerators.step().run();
      clock.pass(GpuWatch.LOOK_EVERY);
    }
    assertThat(seen).contains(new Message.Underused(attempt.id()));

    commit(attempt.ending(JobReason.TERMINATED_DUE_TO_UTILIZATION_POLICY));
    assertThat(links.usage()).isEmpty();
    assertThat(accelerators.next().apply(clock.instant())).isEmpty();
  }

  @Test
  void afterARestartOfTheServerWhatJobsUseIsMeasuredAgain() {
    Attempt attempt = attempt();
    ResourceVector share = new ResourceVector(1, 1, 1, 1, Set.of());
    Kept kept = new Kept();
    links.driveBy(kept);
    start(
        machine(Instance.Status.BUSY, "folder:/m1").allocate(attempt.id(), share),
        resource(Resource.State.PRESENT),
        attempt);
    UsageWatch usage = Objects.requireNonNull(kept.link).usage();
    usage.step();
    assertThat(links.usage()).as("before it is connected").isEmpty();
    runtime.uses.put(attempt.id(), new JobUsage(clock.instant(), Duration.ZERO, 1024, null));
    connect();
    clock.pass(UsageWatch.LOOK_EVERY);
    usage.step();
    assertThat(links.usage()).hasSize(1);
  }
}
