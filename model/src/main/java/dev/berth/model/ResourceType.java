package dev.berth.model;

import java.util.Locale;

/** What a {@link Resource} is. */
public enum ResourceType {
  /** A job that an engine or the machine itself runs. */
  JOB,
  INSTANCE,
  /** Several jobs or machines that are made and deleted as one. */
  GROUP,
  VOLUME,
  /** A machine's own disk that outlives it. */
  DISK,
  /** An address on the internet. */
  ADDRESS,
  /** A key that lets us in. */
  KEY,
  PLACEMENT_GROUP,
  GATEWAY,
  LOAD_BALANCER;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
