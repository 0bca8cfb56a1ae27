package dev.berth.model.config;

/** An existing instance that a run is pinned to. */
public sealed interface InstanceSelector {
  record ByName(String name) implements InstanceSelector {}

  record ByHostname(String hostname) implements InstanceSelector {}

  record ByFleet(EntityReference fleet, int instance) implements InstanceSelector {}
}
