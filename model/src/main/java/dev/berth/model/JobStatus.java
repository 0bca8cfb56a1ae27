package dev.berth.model;

import java.util.Locale;

/** Where a job, and each attempt at it, stands. */
public enum JobStatus {
  SUBMITTED,
  PROVISIONING,
  PULLING,
  RUNNING,
  TERMINATING,
  DONE,
  FAILED,
  TERMINATED,
  ABORTED;

  public boolean finished() {
    return this == DONE || this == FAILED || this == TERMINATED || this == ABORTED;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
