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
import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A simulated cloud. */
public final class Cloud implements Provider {
  /** The installation that is simulated. */
  public static final Owner OWNER = new Owner("simulated");

  private final String name;
  private final SimCompute compute;

  public Cloud(CloudPlan plan, InstantSource clock) {
    this.name = plan.name();
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
    return compute.cloud().holdings().stream()
        .map(
            holding ->
                new Held(holding.id(), holding.key(), holding.owner().equals(OWNER.installation())))
        .toList();
  }

  /** Whether more is there than the account may have. */
  @Override
  public Optional<String> complaint() {
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
              .filter(holding -> holding.instanceType() != null)
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

  private InstanceType type(Place place) {
    return compute.cloud().scenario().instanceTypes().stream()
        .filter(type -> type.name().equals(place.instanceType()))
        .findFirst()
        .orElseThrow();
  }

  /** The calls that it saw, for whoever wants to know more about a violation. */
  public List<String> trace() {
    return compute.cloud().trace();
  }
}
