package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that ends: a training, a batch job, on one node or several.
 *
 * @param after names of runs that must succeed before it begins
 */
public record TaskConfiguration(
    RunSettings run,
    ProfileParams profile,
    List<String> commands,
    List<PortMapping> ports,
    @Nullable Integer nodes,
    @Nullable List<NodeGroup> groups,
    List<String> after)
    implements RunConfiguration {
  public TaskConfiguration {
    commands = List.copyOf(commands);
    ports = List.copyOf(ports);
    after = List.copyOf(after);
  }

  /** One that waits for no other run. */
  public TaskConfiguration(
      RunSettings run,
      ProfileParams profile,
      List<String> commands,
      List<PortMapping> ports,
      @Nullable Integer nodes,
      @Nullable List<NodeGroup> groups) {
    this(run, profile, commands, ports, nodes, groups, List.of());
  }

  @Override
  public TaskConfiguration with(ProfileParams newProfile) {
    return new TaskConfiguration(run, newProfile, commands, ports, nodes, groups, after);
  }
}
