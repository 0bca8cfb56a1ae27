package dev.berth.simulation.providers;

import dev.berth.backends.sim.Holding;
import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimCompute;
import dev.berth.backends.sim.SimConfig;
import dev.berth.backends.sim.Waiting;
import dev.berth.backends.sim.scenario.Quota;
import dev.berth.simulation.plan.CloudPlan;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** The calls that it saw, for whoever wants to know more about a violation. */
  public List<String> trace() {
    return compute.cloud().trace();
  }
}
