package dev.berth.model;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** What a machine has, or what a job has of it. */
public record ResourceVector(
    int slots, int cpus, long memoryMib, long diskMib, Set<String> devices) {
  public static final ResourceVector NOTHING = new ResourceVector(0, 0, 0, 0, Set.of());

  public ResourceVector {
    devices = Collections.unmodifiableSet(new TreeSet<>(devices));
  }

  public ResourceVector plus(ResourceVector other) {
    Set<String> all = new TreeSet<>(devices);
    all.addAll(other.devices);
    return new ResourceVector(
        slots + other.slots,
        cpus + other.cpus,
        memoryMib + other.memoryMib,
        diskMib + other.diskMib,
        all);
  }

  public ResourceVector minus(ResourceVector other) {
    Set<String> left = new TreeSet<>(devices);
    left.removeAll(other.devices);
    return new ResourceVector(
        slots - other.slots,
        cpus - other.cpus,
        memoryMib - other.memoryMib,
        diskMib - other.diskMib,
        left);
  }
}
