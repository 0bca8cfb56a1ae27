package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Work that answers requests until it is stopped. */
public record ServiceConfiguration(
    RunSettings run,
    ProfileParams profile,
    List<String> commands,
    PortMapping port,
    @Nullable GatewayChoice gateway,
    boolean stripPrefix,
    @Nullable ServiceModel model,
    @Nullable HttpsMode https,
    boolean auth,
    @Nullable ScalingSpec scaling,
    List<RateLimit> rateLimits,
    @Nullable List<ProbeSpec> probes,
    @Nullable Range<Integer> replicas,
    @Nullable List<ReplicaGroup> groups)
    implements RunConfiguration {
  public ServiceConfiguration {
    commands = List.copyOf(commands);
    rateLimits = List.copyOf(rateLimits);
  }

  @Override
  public ServiceConfiguration with(ProfileParams newProfile) {
    return new ServiceConfiguration(
        run,
        newProfile,
        commands,
        port,
        gateway,
        stripPrefix,
        model,
        https,
        auth,
        scaling,
        rateLimits,
        probes,
        replicas,
        groups);
  }
}
