package dev.berth.model.config;

/** When a run of several nodes is finished. */
public enum StopCriteria {
  ALL_DONE,
  MASTER_DONE
}
