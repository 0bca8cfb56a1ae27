package dev.berth.testkit;

import java.util.Locale;

/** What a check is about, in the order in which a backend is best written. */
public enum Area {
  CONFIG,
  OFFERS,
  CREATE,
  IDENTITY,
  LIST,
  DESCRIBE,
  DELETE,
  JOBS,
  LOGS,
  CANCEL,
  GROUPS,
  VOLUMES,
  PLACEMENT,
  GATEWAYS,
  /** Queue positions, rewriting, commands inside of jobs and connections to them. */
  BEHAVIOURS,
  CONTAINER,
  ERRORS,
  SECRETS,
  LEFTOVERS;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
