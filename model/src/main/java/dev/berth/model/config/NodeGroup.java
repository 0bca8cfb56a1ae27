package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes of a task that are alike. */
public record NodeGroup(
    @Nullable String name,
    int nodes,
    ResourcesSpec resources,
    List<String> commands,
    List<PortMapping> ports) {
  public NodeGroup {
    commands = List.copyOf(commands);
    ports = List.copyOf(ports);
  }
}
