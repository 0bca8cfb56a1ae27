package dev.berth.model;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A machine that can run jobs, with what it has and who uses it. */
public record Instance(
    String id,
    String project,
    String name,
    String backend,
    String region,
    Status status,
    ResourceVector capacity,
    List<Device> gpus,
    Map<String, ResourceVector> allocations,
    double price)
    implements Entity {
  public Instance {
    gpus = List.copyOf(gpus);
    allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
  }

  /** An accelerator of the machine. */
  public record Device(String id, String vendor, String name, long memoryMib) {}

  /** Whether it can take jobs. */
  public enum Status {
    PENDING,
    PROVISIONING,
    IDLE,
    BUSY,
    TERMINATING,
    TERMINATED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Kind kind() {
    return Kind.INSTANCE;
  }

  @Override
  public String state() {
    return status.word();
  }

  @Override
  public boolean active() {
    return status != Status.TERMINATED;
  }

  /** What is not allocated. */
  public ResourceVector free() {
    return allocations.values().stream().reduce(capacity, ResourceVector::minus);
  }

  public Instance allocate(String attempt, ResourceVector share) {
    Map<String, ResourceVector> next = new TreeMap<>(allocations);
    next.put(attempt, share);
    return with(next);
  }

  /** Without the attempt's share; the same where it has none. */
  public Instance release(String attempt) {
    if (!allocations.containsKey(attempt)) {
      return this;
    }
    Map<String, ResourceVector> next = new TreeMap<>(allocations);
    next.remove(attempt);
    return with(next);
  }

  /** The machine as it was found when it was last looked at. */
  public Instance refreshed(Instance found) {
    return new Instance(
        id,
        project,
        found.name,
        backend,
        region,
        status,
        found.capacity,
        found.gpus,
        allocations,
        found.price);
  }

  private Instance with(Map<String, ResourceVector> next) {
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        next.isEmpty() ? Status.IDLE : Status.BUSY,
        capacity,
        gpus,
        next,
        price);
  }
}
