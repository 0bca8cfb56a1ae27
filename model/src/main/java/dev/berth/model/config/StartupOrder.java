package dev.berth.model.config;

/** Which nodes of a run start first. */
public enum StartupOrder {
  ANY,
  MASTER_FIRST,
  WORKERS_FIRST
}
