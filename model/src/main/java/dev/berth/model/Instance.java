package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A machine that can run jobs, with what it has and who uses it.
 *
 * @param purchase null for a machine that is there by itself
 * @param engine what runs containers on a machine that is there by itself; null where jobs are its
 *     processes
 * @param type the type of its backend, which the server tells; null in bodies of before
 */
public record Instance(
    String id,
    String project,
    String name,
    String backend,
    String region,
    Status status,
    ResourceVector capacity,
    List<Accelerator> gpus,
    Map<String, ResourceVector> allocations,
    double price,
    @Nullable Purchase purchase,
    @Nullable Engine engine,
    @Nullable String type)
    implements Entity {
  public Instance {
    gpus = List.copyOf(gpus);
    allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
  }

  /** A machine that is there by itself. */
  public Instance(
      String id,
      String project,
      String name,
      String backend,
      String region,
      Status status,
      ResourceVector capacity,
      List<Accelerator> gpus,
      Map<String, ResourceVector> allocations,
      double price) {
    this(id, project, name, backend, region, status, capacity, gpus, allocations, price, null);
  }

  /** A machine that was bought, whose engine Berth brings. */
  public Instance(
      String id,
      String project,
      String name,
      String backend,
      String region,
      Status status,
      ResourceVector capacity,
      List<Accelerator> gpus,
      Map<String, ResourceVector> allocations,
      double price,
      @Nullable Purchase purchase) {
    this(
        id,
        project,
        name,
        backend,
        region,
        status,
        capacity,
        gpus,
        allocations,
        price,
        purchase,
        null,
        null);
  }

  /** What an engine on a machine that is there by itself does for jobs. */
  public record Engine(boolean privileged, boolean mounts) {}

  /** The same, with an engine that runs jobs in containers. */
  public Instance running(Engine newEngine) {
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        status,
        capacity,
        gpus,
        allocations,
        price,
        purchase,
        newEngine,
        type);
  }

  /** The same, of a backend of a type. */
  public Instance ofType(String newType) {
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        status,
        capacity,
        gpus,
        allocations,
        price,
        purchase,
        engine,
        newType);
  }

  /** The type of its backend; the backend's name where nobody told it. */
  public String backendType() {
    if (purchase != null) {
      return purchase.type();
    }
    return type == null ? BackendKey.name(backend) : type;
  }

  /** Whether it can take jobs. */
  public enum Status {
    /** The provider is asked for it. */
    PENDING,
    /** It is there and not ready. */
    PROVISIONING,
    IDLE,
    BUSY,
    /** It is there by itself, and its backend does not show it any more. */
    UNREACHABLE,
    TERMINATING,
    TERMINATED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether jobs can be started on it. */
    public boolean isReady() {
      return this == IDLE || this == BUSY;
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

  @Override
  public @Nullable String parent() {
    return purchase == null ? null : purchase.fleetId();
  }

  @Override
  public @Nullable Instant due() {
    if (purchase == null) {
      return null;
    }
    Instant idleSince = purchase.idleSince();
    return switch (status) {
      case PENDING, PROVISIONING -> purchase.readyBy();
      case IDLE ->
          purchase.idleDuration() == null || idleSince == null
              ? null
              : idleSince.plus(purchase.idleDuration());
      case BUSY, UNREACHABLE, TERMINATING, TERMINATED -> null;
    };
  }

  /** How it was bought; empty for a machine that is there by itself. */
  public Optional<Purchase> bought() {
    return Optional.ofNullable(purchase);
  }

  /** What is not allocated. */
  public ResourceVector free() {
    return allocations.values().stream().reduce(capacity, ResourceVector::minus);
  }

  public Instance allocate(String attempt, ResourceVector share) {
    Map<String, ResourceVector> next = new TreeMap<>(allocations);
    next.put(attempt, share);
    return with(next, purchase == null ? null : purchase.idle(null));
  }

  /** Without the attempt's share; the same where it has none. */
  public Instance release(String attempt, Instant at) {
    if (!allocations.containsKey(attempt)) {
      return this;
    }
    Map<String, ResourceVector> next = new TreeMap<>(allocations);
    next.remove(attempt);
    return with(next, purchase == null || !next.isEmpty() ? purchase : purchase.idle(at));
  }

  /** The machine as it was found when it was last looked at. */
  public Instance refreshed(Instance found) {
    return new Instance(
        id,
        project,
        found.name,
        backend,
        region,
        status == Status.UNREACHABLE ? idleOrBusy(allocations) : status,
        found.capacity,
        found.gpus,
        allocations,
        found.price,
        purchase,
        found.engine,
        found.type);
  }

  /** Whether it differs from another state of it in more than the room that its disk has left. */
  public boolean differsBesidesDisk(Instance other) {
    return !withoutDisk().equals(other.withoutDisk());
  }

  private Instance withoutDisk() {
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        status,
        new ResourceVector(
            capacity.slots(), capacity.cpus(), capacity.memoryMib(), 0, capacity.devices()),
        gpus,
        allocations,
        price,
        purchase,
        engine,
        type);
  }

  /** Made, and not ready yet. */
  public Instance provisioning() {
    return with(Status.PROVISIONING, allocations, purchase);
  }

  /** Whether Berth itself runs jobs on it, over a connection of its own. */
  public boolean isEquippedByUs() {
    return purchase != null && purchase.equipped() != null;
  }

  /** Started by its provider, which says where it can be reached. */
  public Instance at(@Nullable Endpoint endpoint) {
    return with(status, allocations, purchase == null ? null : purchase.at(endpoint));
  }

  /** With what there is to say about it while it is not ready. */
  public Instance saying(String sentence) {
    return with(status, allocations, purchase == null ? null : purchase.saying(sentence));
  }

  /**
   * With what it really has, so that Berth can run jobs on it. Whoever was promised a part of what
   * was offered gets the same part of what is there.
   */
  public Instance equipped(MachineFacts facts) {
    List<Accelerator> there = facts.gpus() == null ? gpus : facts.gpus();
    Map<String, String> renamed = new TreeMap<>();
    for (int i = 0; i < Math.min(gpus.size(), there.size()); i++) {
      renamed.put(gpus.get(i).id(), there.get(i).id());
    }
    ResourceVector found =
        new ResourceVector(
            capacity.slots(),
            Objects.requireNonNullElse(facts.cpus(), capacity.cpus()),
            Objects.requireNonNullElse(facts.memoryMib(), capacity.memoryMib()),
            Objects.requireNonNullElse(facts.diskMib(), capacity.diskMib()),
            there.stream().map(Accelerator::id).collect(Collectors.toSet()));
    Map<String, ResourceVector> shares = new TreeMap<>();
    allocations.forEach(
        (attempt, share) -> shares.put(attempt, share.scaled(capacity, found, renamed)));
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        status,
        found,
        there,
        shares,
        price,
        purchase == null ? null : purchase.equipped(true),
        facts.engine(),
        type);
  }

  /** Ready for jobs. */
  public Instance ready(@Nullable Endpoint endpoint, Instant at) {
    Purchase known = purchase == null ? null : purchase.at(endpoint);
    return with(
        allocations.isEmpty() ? Status.IDLE : Status.BUSY,
        allocations,
        known == null || !allocations.isEmpty() ? known : known.idle(at));
  }

  /** To be kept without work for so long; null for ever. */
  public Instance keptFor(@Nullable Duration idleDuration) {
    return with(status, allocations, purchase == null ? null : purchase.keptFor(idleDuration));
  }

  /** Answering, or not since a time. */
  public Instance unseen(@Nullable Instant since) {
    return with(status, allocations, purchase == null ? null : purchase.unseen(since));
  }

  /** To be given back as soon as nobody uses it. */
  public Instance noticed(InstanceReason why, String sentence) {
    return with(status, allocations, purchase == null ? null : purchase.because(why, sentence));
  }

  /** About to be given back. */
  public Instance leaving(InstanceReason why, @Nullable String sentence) {
    return with(
        Status.TERMINATING, allocations, purchase == null ? null : purchase.because(why, sentence));
  }

  /** Gone at the provider. */
  public Instance gone() {
    return with(Status.TERMINATED, Map.of(), purchase);
  }

  /** Not shown by its backend any more. */
  public Instance unreachable() {
    return with(Status.UNREACHABLE, allocations, purchase);
  }

  private static Status idleOrBusy(Map<String, ResourceVector> allocations) {
    return allocations.isEmpty() ? Status.IDLE : Status.BUSY;
  }

  private Instance with(Map<String, ResourceVector> next, @Nullable Purchase newPurchase) {
    return with(status.isReady() ? idleOrBusy(next) : status, next, newPurchase);
  }

  private Instance with(
      Status newStatus,
      Map<String, ResourceVector> newAllocations,
      @Nullable Purchase newPurchase) {
    return new Instance(
        id,
        project,
        name,
        backend,
        region,
        newStatus,
        capacity,
        gpus,
        newAllocations,
        price,
        newPurchase,
        engine,
        type);
  }
}
