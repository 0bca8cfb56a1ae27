package dev.berth.model.config;

/** What may have ended an attempt so that another one is worth making. */
public enum RetryEvent {
  NO_CAPACITY,
  INTERRUPTION,
  ERROR
}
