package dev.berth.model;

import java.util.Locale;

/** Where a run stands. */
public enum RunStatus {
  PENDING,
  SUBMITTED,
  PROVISIONING,
  RUNNING,
  TERMINATING,
  DONE,
  FAILED,
  TERMINATED;

  public boolean finished() {
    return this == DONE || this == FAILED || this == TERMINATED;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
