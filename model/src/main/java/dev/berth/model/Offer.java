package dev.berth.model;

import java.util.List;

/** A place that could be had, and its price. */
public record Offer(
    String backend,
    String region,
    String instanceType,
    int cpus,
    long memoryMib,
    long diskMib,
    List<Accelerator> gpus,
    boolean spot,
    double price,
    Availability availability) {
  public Offer {
    gpus = List.copyOf(gpus);
  }

  public enum Availability {
    AVAILABLE,
    BUSY,
    NOT_AVAILABLE
  }
}
