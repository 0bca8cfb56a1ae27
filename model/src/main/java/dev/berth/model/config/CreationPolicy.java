package dev.berth.model.config;

/** Whether a run may create machines. */
public enum CreationPolicy {
  REUSE,
  REUSE_OR_CREATE
}
