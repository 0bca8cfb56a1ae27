package dev.berth.control;

import dev.berth.control.accounts.Inventory;
import dev.berth.control.accounts.OwnInstances;
import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Trait;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that is looked at of one backend: its jobs, its things, and how busy its accelerators are.
 */
final class BackendMonitor {
  private static final System.Logger LOG = System.getLogger(BackendMonitor.class.getName());

  private final String backend;
  private final InstantSource clock;
  private final Optional<JobWatches> jobs;
  private final Optional<BackendResources> account;
  private final Optional<Inventory> inventory;
  private final Optional<GpuWatch> accelerators;
  private final Optional<UsageWatch> usage;

  /**
   * The machines that the backend showed last; null before it showed any. Written by who opens it,
   * and then by who reads them again.
   */
  private volatile @Nullable List<Instance> machines;

  /**
   * Follows nothing yet.
   *
   * @param newestSeq the number of the newest event
   * @param seen hears of everything that is seen
   */
  BackendMonitor(
      String backend,
      Compute compute,
      ControlSteps.Dependencies dependencies,
      LongSupplier newestSeq,
      Consumer<Message> seen) {
    this.backend = backend;
    this.clock = dependencies.clock();
    this.jobs =
        compute
            .runtime()
            .map(
                runtime ->
                    new JobWatches(
                        backend,
                        () -> runtime,
                        job -> backend.equals(job.backend()) && job.machineId() == null,
                        (attemptId, observation) ->
                            seen.accept(new Message.Observed(attemptId, observation)),
                        attemptId -> seen.accept(new Message.Unseen(attemptId)),
                        compute.identity().describedWithin()));
    this.accelerators =
        compute
            .gpuMetrics()
            .map(
                metrics ->
                    new GpuWatch(
                        backend,
                        metrics,
                        clock,
                        attemptId -> seen.accept(new Message.Underused(attemptId))));
    this.usage =
        compute
            .runtime()
            .filter(_ -> compute.traits().has(Trait.USAGE))
            .map(runtime -> new UsageWatch(backend, runtime, compute.gpuMetrics(), clock));
    String type = dependencies.types().apply(backend);
    this.inventory =
        compute.offers() instanceof Offers.OwnMachines
            ? Optional.of(
                new Inventory(
                    backend,
                    () -> OwnInstances.read(backend, type, compute),
                    found -> {
                      showed(found);
                      shown().forEach(seen);
                    },
                    clock.instant().plus(Inventory.EVERY)))
            : Optional.empty();
    this.account =
        isAnythingBought(compute)
            ? Optional.of(account(backend, compute, dependencies, newestSeq, seen))
            : Optional.empty();
  }

  /** Where nothing is bought, nothing can be left behind. */
  private static boolean isAnythingBought(Compute compute) {
    return compute.provisioner().isPresent() || !(compute.offers() instanceof Offers.OwnMachines);
  }

  private static BackendResources account(
      String backend,
      Compute compute,
      ControlSteps.Dependencies dependencies,
      LongSupplier newestSeq,
      Consumer<Message> seen) {
    return new BackendResources(
        backend,
        new ResourceWatches(
            backend,
            compute.provisioner().orElse(null),
            compute.identity().describedWithin(),
            (key, observation) -> seen.accept(new Message.ResourceObserved(key, observation))),
        new Sweeper(
            Sweeper.Place.of(backend, compute),
            dependencies.installation(),
            dependencies.ledger(),
            Ledger.MAIN_REALM,
            newestSeq,
            seen,
            dependencies.instruments(),
            dependencies.clock().instant().plus(Sweeper.FIRST_AFTER)));
  }

  String backend() {
    return backend;
  }

  Optional<JobWatches> jobs() {
    return jobs;
  }

  Optional<BackendResources> account() {
    return account;
  }

  Optional<GpuWatch> accelerators() {
    return accelerators;
  }

  /** Who looks what jobs use. It is no part that is stepped: nothing is decided by it. */
  Optional<UsageWatch> usage() {
    return usage;
  }

  /** What there is to tell of the machines that the backend showed; nothing before it did. */
  List<Message> shown() {
    List<Instance> found = machines;
    if (found == null || inventory.isEmpty()) {
      return List.of();
    }
    List<Message> shown = new ArrayList<>();
    found.forEach(machine -> shown.add(new Message.InstanceFound(machine)));
    shown.add(
        new Message.InventoryRead(
            backend, found.stream().map(Instance::id).collect(Collectors.toSet())));
    return shown;
  }

  /** Who reads which machines there are by themselves. */
  Optional<Inventory> inventory() {
    return inventory;
  }

  void showed(List<Instance> instances) {
    machines = List.copyOf(instances);
  }

  Optional<ControlStep> jobsPart() {
    return jobs.map(mine -> new ControlStep("watches of " + backend, mine::next, () -> step(mine)));
  }

  Optional<ControlStep> accountPart() {
    return account.map(
        mine ->
            new ControlStep("things of " + backend, mine::next, () -> mine.step(clock.instant())));
  }

  Optional<ControlStep> inventoryPart() {
    return inventory.map(
        mine -> new ControlStep("inventory of " + backend, mine::next, () -> step(mine)));
  }

  Optional<ControlStep> acceleratorsPart() {
    return accelerators.map(
        mine -> new ControlStep("accelerators of " + backend, mine::next, () -> step(mine)));
  }

  void step(JobWatches mine) {
    try {
      mine.step(clock.instant());
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The jobs of a backend could not be looked at", e);
    }
  }

  void step(Inventory mine) {
    try {
      mine.step(clock.instant());
    } catch (RuntimeException | LinkageError e) {
      // The next reading is the retry.
      LOG.log(System.Logger.Level.WARNING, "The machines of a backend could not be read", e);
    }
  }

  void step(GpuWatch mine) {
    try {
      mine.step();
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The accelerators of a backend were not seen", e);
    }
  }

  void step(UsageWatch mine) {
    try {
      mine.step();
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "What the jobs of a backend use was not seen", e);
    }
  }

  /** A call about a job was made. Safe for any thread. */
  void signal(String attemptId) {
    jobs.ifPresent(mine -> mine.signal(attemptId));
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    jobs.ifPresent(JobWatches::forget);
    account.ifPresent(mine -> mine.things().forget());
  }

  /** Follows exactly the jobs that the view says are at the backend. */
  void followJobs(View view) {
    jobs.ifPresent(mine -> mine.follow(view));
    accelerators.ifPresent(mine -> mine.follow(view.active(Attempt.class), view));
    usage.ifPresent(mine -> mine.follow(view.active(Attempt.class), view));
  }

  /** Follows exactly the things that the view says are at the backend. */
  void followThings(View view) {
    account.ifPresent(mine -> mine.things().follow(view));
  }

  /** Follows one resource as it is now, or no longer. */
  void follow(Resource resource) {
    jobs.ifPresent(mine -> mine.follow(resource));
  }

  void unfollow(Resource resource) {
    jobs.ifPresent(mine -> mine.unfollow(resource));
  }

  /** Follows what one attempt uses as it is now, or no longer. */
  void follow(Attempt attempt, View view) {
    accelerators.ifPresent(mine -> mine.follow(attempt, view));
    usage.ifPresent(mine -> mine.follow(attempt, view));
  }
}
