package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replicas of a service that are alike. */
public record ReplicaGroup(
    @Nullable String name,
    Range<Integer> replicas,
    @Nullable ScalingSpec scaling,
    ResourcesSpec resources,
    @Nullable SpotPolicy spotPolicy,
    @Nullable String reservation,
    List<String> commands,
    @Nullable String image,
    @Nullable String python,
    @Nullable Boolean nvcc,
    @Nullable Boolean docker,
    @Nullable Boolean privileged,
    @Nullable RouterSpec router) {
  public ReplicaGroup {
    commands = List.copyOf(commands);
  }
}
