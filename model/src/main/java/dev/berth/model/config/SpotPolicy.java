package dev.berth.model.config;

/** Whether interruptible machines may be, or must be, used. */
public enum SpotPolicy {
  SPOT,
  ON_DEMAND,
  AUTO
}
