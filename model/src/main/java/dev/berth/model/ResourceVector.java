package dev.berth.model;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

  /** The same part of another whole, whose devices have other names. */
  ResourceVector scaled(ResourceVector of, ResourceVector to, Map<String, String> names) {
    return new ResourceVector(
        slots,
        (int) scaled(cpus, of.cpus, to.cpus),
        scaled(memoryMib, of.memoryMib, to.memoryMib),
        scaled(diskMib, of.diskMib, to.diskMib),
        devices.stream().map(id -> names.getOrDefault(id, id)).collect(Collectors.toSet()));
  }

  private static long scaled(long part, long of, long to) {
    return of == 0 ? part : Math.multiplyExact(part, to) / of;
  }
}
