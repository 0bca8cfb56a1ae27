package dev.berth.simulation.providers;

import dev.berth.backends.sim.Holding;
import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimCompute;
import dev.berth.backends.sim.SimConfig;
import dev.berth.backends.sim.Waiting;
import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.backends.sim.scenario.Quota;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.simulation.plan.CloudPlan;
import dev.berth.simulation.plan.HostPlan;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A simulated cloud. */
public final class Cloud implements Provider {
  /** The installation that is simulated. */
  public static final Owner OWNER = new Owner("simulated");

  /** How often a call to a machine on which Berth runs jobs fails. */
  private static final double FAILURES = 0.05;

  /** How often the runner of a job on such a machine dies. */
  private static final double LOSSES = 0.02;

  private final String name;
  private final SimCompute compute;
  private final CloudPlan plan;
  private final InstantSource clock;

  /** What runs on each machine on which Berth runs the jobs, by the provider's id. */
  private final Map<String, HostRuntime> machines = new TreeMap<>();

  public Cloud(CloudPlan plan, InstantSource clock) {
    this.name = plan.name();
    this.plan = plan;
    this.clock = clock;
    this.compute =
        new SimBackendType(Waiting.none())
            .open(
                ConfigReader.read(SimConfig.class, plan.configuration()),
                // Its state is in memory, so nothing is written there.
                new BackendContext(name, OWNER, Path.of(name), Map.of(), clock));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String type() {
    return "sim";
  }

  @Override
  public Compute compute() {
    return compute;
  }

  @Override
  public List<Held> held() {
    List<Held> held = new ArrayList<>();
    for (Holding holding : compute.cloud().holdings()) {
      boolean ours = holding.owner().equals(OWNER.installation());
      held.add(
          new Held(
              holding.id(),
              holding.key(),
              ours,
              // A job on a machine costs nothing besides it.
              holding.instanceType() != null,
              holding.noticedAt()));
      running(holding.id()).forEach((key, _) -> held.add(new Held(key, key, ours)));
    }
    return held;
  }

  @Override
  public Set<String> refused() {
    return compute.cloud().refusedKeys();
  }

  /** The jobs that run on a machine, if Berth runs them. */
  private Map<String, HostJob> running(String machine) {
    HostRuntime runtime = machines.get(machine);
    Map<String, HostJob> running = new TreeMap<>();
    if (runtime != null) {
      runtime
          .jobs()
          .forEach(
              (key, job) -> {
                if (job.runs(clock.instant())) {
                  running.put(key, job);
                }
              });
    }
    return running;
  }

  /**
   * What runs jobs on a machine that is there, started by Berth. It answers while the machine is
   * there and can be reached.
   */
  public JobRuntime jobsOn(String machine) {
    return machines.computeIfAbsent(
        machine,
        _ ->
            new HostRuntime(
                new HostPlan(machine, 1, 1, plan.seed() ^ machine.hashCode(), FAILURES, LOSSES),
                clock,
                () -> isReachable(machine)));
  }

  /** A start reaches a machine that is there, and nothing refuses it any more. */
  public void startLate(String machine, String key) {
    HostRuntime runtime = machines.get(machine);
    if (runtime != null && isReachable(machine)) {
      runtime.startLate(key);
    }
  }

  private boolean isReachable(String machine) {
    return compute.cloud().holdings().stream()
        .anyMatch(holding -> holding.id().equals(machine) && holding.reachable());
  }

  /** Whether more is there than the account may have, or more runs on a machine than fits. */
  @Override
  public Optional<String> complaint() {
    for (Holding holding : compute.cloud().holdings()) {
      ResourceVector used =
          running(holding.id()).values().stream()
              .map(HostJob::share)
              .reduce(ResourceVector.NOTHING, ResourceVector::plus);
      if (holding.instanceType() != null && !fits(used, type(holding.instanceType()))) {
        return Optional.of("runs " + used + " on " + holding.id());
      }
    }
    if (compute.cloud().scenario().queue()) {
      // What waits in the queue is held, and uses nothing of the quota yet.
      return Optional.empty();
    }
    for (Quota quota : compute.cloud().scenario().quotas()) {
      Integer most = quota.instances();
      if (most == null) {
        continue;
      }
      long used =
          compute.cloud().holdings().stream()
              .filter(holding -> holding.instanceType() != null && !holding.over())
              .map(Holding::region)
              .filter(quota::concerns)
              .count();
      if (used > most && used > compute.cloud().scenario().foreign() * 2L) {
        return Optional.of("holds " + used + " where the quota is " + most);
      }
    }
    return Optional.empty();
  }

  @Override
  public double price(JobRequest job) {
    Place place = Objects.requireNonNull(job.place(), "what is bought has a place");
    InstanceType type = type(place);
    double whole =
        place.spot() ? Objects.requireNonNullElse(type.spotPrice(), type.price()) : type.price();
    return whole * job.share().cpus() / type.cpus();
  }

  @Override
  public ResourceVector capacity(Place place) {
    InstanceType type = type(place);
    return new ResourceVector(
        Integer.MAX_VALUE, type.cpus(), type.memory().mib(), type.disk().mib(), Set.of());
  }

  private static boolean fits(ResourceVector used, InstanceType type) {
    return used.cpus() <= type.cpus() && used.memoryMib() <= type.memory().mib();
  }

  private InstanceType type(Place place) {
    return type(place.instanceType());
  }

  private InstanceType type(String name) {
    return compute.cloud().scenario().instanceTypes().stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The calls that it saw, for whoever wants to know more about a violation. */
  public List<String> trace() {
    return compute.cloud().trace();
  }
}
