package dev.berth.simulation.providers;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.simulation.plan.HostPlan;
import dev.berth.simulation.plan.Trouble;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.OwnMachine;
import dev.berth.spi.Reach;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A machine that is there by itself, with so much and no more. */
public final class Host implements Provider, Compute {
  private final HostPlan plan;
  private final HostRuntime runtime;
  private final InstantSource clock;

  private final List<Trouble.HostAway> absences;
  private final Instant began;

  /**
   * A machine that is not always there.
   *
   * @param absences when it is not listed, counted from now
   */
  public Host(HostPlan plan, InstantSource clock, List<Trouble.HostAway> absences) {
    this.plan = plan;
    this.clock = clock;
    this.absences = List.copyOf(absences);
    this.began = clock.instant();
    this.runtime =
        new HostRuntime(plan, clock, () -> absence().noneMatch(Trouble.HostAway::silent));
  }

  /** The absences that there are now. */
  private Stream<Trouble.HostAway> absence() {
    Duration age = Duration.between(began, clock.instant());
    return absences.stream()
        .filter(away -> age.compareTo(away.from()) >= 0 && age.compareTo(away.until()) < 0);
  }

  @Override
  public boolean isAway() {
    return absence().findAny().isPresent();
  }

  private ResourceVector capacity() {
    return new ResourceVector(plan.slots(), plan.cpus(), 1 << 20, 1 << 20, Set.of());
  }

  @Override
  public String name() {
    return plan.name();
  }

  @Override
  public String type() {
    return plan.name();
  }

  @Override
  public Compute compute() {
    return this;
  }

  @Override
  public List<Held> held() {
    return runtime.jobs().entrySet().stream()
        .filter(job -> job.getValue().runs(clock.instant()))
        .map(job -> new Held(job.getKey(), job.getKey(), true))
        .toList();
  }

  /** Whether those that run have more together than there is. */
  @Override
  public Optional<String> complaint() {
    ResourceVector free =
        runtime.jobs().values().stream()
            .filter(job -> job.runs(clock.instant()))
            .map(HostJob::share)
            .reduce(capacity(), ResourceVector::minus);
    return free.slots() < 0 || free.cpus() < 0 || free.memoryMib() < 0 || free.diskMib() < 0
        ? Optional.of("runs more than fits: what is left is " + free)
        : Optional.empty();
  }

  /** It is there by itself, and nobody pays for it. */
  @Override
  public double price(JobRequest job) {
    return 0;
  }

  @Override
  public ResourceVector capacity(Place place) {
    return capacity();
  }

  @Override
  public Traits traits() {
    return Traits.of(Traits.Base.HOSTS).without(Trait.IMAGES);
  }

  @Override
  public Identity identity() {
    return new Identity.UniqueName();
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public Offers offers() {
    return new Offers.OwnMachines();
  }

  @Override
  public List<OwnMachine> ownMachines() {
    return isAway() ? List.of() : List.of(machine());
  }

  private OwnMachine machine() {
    return new OwnMachine(name() + "-1", name() + "-1", name(), capacity(), List.of(), null);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.of(runtime);
  }

  @Override
  public void close() {
    // There is nothing to let go of.
  }
}
