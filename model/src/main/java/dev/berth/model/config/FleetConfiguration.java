package dev.berth.model.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Machines that are kept together: created in a cloud, or reached over SSH. */
public record FleetConfiguration(
    @Nullable String name,
    @Nullable FleetPlacement placement,
    Blocks blocks,
    @Nullable FleetNodes nodes,
    @Nullable String reservation,
    @Nullable ResourcesSpec resources,
    @Nullable List<String> backends,
    @Nullable List<String> regions,
    @Nullable List<String> availabilityZones,
    @Nullable List<String> instanceTypes,
    @Nullable SpotPolicy spotPolicy,
    @Nullable RetryPolicy retry,
    @Nullable Double maxPrice,
    @Nullable TimeLimit idleDuration,
    @Nullable Map<String, String> tags,
    @Nullable List<BackendOptions> backendOptions,
    @Nullable SshConfig sshConfig,
    List<EnvironmentVariable> env)
    implements Configuration {
  public FleetConfiguration {
    env = List.copyOf(env);
  }
}
