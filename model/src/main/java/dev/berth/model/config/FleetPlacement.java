package dev.berth.model.config;

/** How close together the machines of a fleet must be. */
public enum FleetPlacement {
  ANY,
  CLUSTER
}
