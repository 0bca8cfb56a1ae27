package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Work that ends: a training, a batch job, on one node or several. */
public record TaskConfiguration(
    RunSettings run,
    ProfileParams profile,
    List<String> commands,
    List<PortMapping> ports,
    @Nullable Integer nodes,
    @Nullable List<NodeGroup> groups)
    implements RunConfiguration {
  public TaskConfiguration {
    commands = List.copyOf(commands);
    ports = List.copyOf(ports);
  }
}
