package dev.berth.decisions;

import dev.berth.model.Container;
import dev.berth.model.JobSpec;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A run that asks for less. */
public final class Relaxation {
  private final Set<Constraint> without;

  private Relaxation(Set<Constraint> without) {
    this.without = without;
  }

  /**
   * The run without some of what it asks for. Defaults go, too: a run without {@link
   * Constraint#MEMORY} asks for no memory at all, as {@code memory: 0..} does.
   */
  public static RunSpec of(RunSpec run, Set<Constraint> without) {
    return new Relaxation(without).run(run);
  }

  private RunSpec run(RunSpec run) {
    return (is(Constraint.NODES) ? run.withNodes(List.of(run.first())) : run).withEach(this::node);
  }

  private boolean is(Constraint constraint) {
    return without.contains(constraint);
  }

  private <T> @Nullable T unless(Constraint constraint, @Nullable T value) {
    return is(constraint) ? null : value;
  }

  private <T> List<T> unless(Constraint constraint, List<T> list) {
    return is(constraint) ? List.of() : list;
  }

  private <T> Set<T> unless(Constraint constraint, Set<T> set) {
    return is(constraint) ? Set.of() : set;
  }

  private Work.Node node(Work.Node node) {
    Wishes wishes = wishes(node.wishes());
    JobSpec.Requirements needs = node.spec().requirements();
    boolean gpus = !wishes.filter().gpu().equals(OfferFilter.Gpu.ANY);
    return new Work.Node(node.spec().with(reserved(needs, gpus)), wishes);
  }

  /** What is reserved of a machine, where accelerators may be asked for no more. */
  private JobSpec.Requirements reserved(JobSpec.Requirements needs, boolean gpus) {
    int least = is(Constraint.GPU_COUNT) ? Math.min(1, needs.gpus()) : needs.gpus();
    return new JobSpec.Requirements(
        unless(Constraint.CPUS, needs.cpus()),
        unless(Constraint.MEMORY, needs.memoryMib()),
        unless(Constraint.DISK, needs.diskMib()),
        gpus ? least : 0,
        unless(Constraint.GPU_NAME, needs.gpuNames()),
        unless(Constraint.GPU_MEMORY, needs.gpuMemoryMib()));
  }

  private Wishes wishes(Wishes wishes) {
    Container container = wishes.container();
    return new Wishes(
        wishes.project(),
        unless(Constraint.BACKENDS, wishes.backends()),
        filter(wishes.filter()),
        container == null || !is(Constraint.PRIVILEGED) ? container : container.asUnprivileged(),
        machines(wishes.machines()),
        wishes.bounds(),
        wishes.containerOnly());
  }

  private Wishes.Machines machines(Wishes.Machines machines) {
    return new Wishes.Machines(
        machines.reuseOnly() && !is(Constraint.CREATION_POLICY),
        unless(Constraint.FLEETS, machines.fleets()),
        unless(Constraint.INSTANCES, machines.instances()),
        machines.idleDuration(),
        unless(Constraint.RESERVATION, machines.reservation()),
        machines.tags());
  }

  private OfferFilter filter(OfferFilter filter) {
    return new OfferFilter(
        filter.providers(),
        unless(Constraint.REGIONS, filter.regions()),
        unless(Constraint.ZONES, filter.zones()),
        filter.countries(),
        unless(Constraint.INSTANCE_TYPES, filter.instanceTypes()),
        unless(Constraint.CPUS, filter.cpus()),
        unless(Constraint.CPU_ARCHITECTURE, filter.arch()),
        unless(Constraint.MEMORY, filter.memoryMib()),
        unless(Constraint.DISK, filter.diskMib()),
        gpu(filter.gpu()),
        unless(Constraint.SPOT_POLICY, filter.spot()),
        unless(Constraint.MAX_PRICE, filter.price()),
        filter.allowedFlags(),
        filter.includeSuspect());
  }

  private OfferFilter.Gpu gpu(OfferFilter.Gpu gpu) {
    OfferFilter.Gpu others =
        new OfferFilter.Gpu(
            unless(Constraint.GPU_VENDOR, gpu.vendor()),
            unless(Constraint.GPU_NAME, gpu.names()),
            null,
            unless(Constraint.GPU_MEMORY, gpu.memoryMib()),
            unless(Constraint.GPU_TOTAL_MEMORY, gpu.totalMemoryMib()),
            unless(Constraint.GPU_CAPABILITY, gpu.computeCapability()));
    Range<Integer> count = gpu.count();
    if (count == null || (is(Constraint.GPU_COUNT) && others.equals(OfferFilter.Gpu.ANY))) {
      return others;
    }
    return new OfferFilter.Gpu(
        others.vendor(),
        others.names(),
        is(Constraint.GPU_COUNT) ? any(count) : count,
        others.memoryMib(),
        others.totalMemoryMib(),
        others.computeCapability());
  }

  /** Any number, of which what else is asked of accelerators makes at least one. */
  private static Range<Integer> any(Range<Integer> count) {
    return Range.atLeast(Integer.valueOf(0).equals(count.min()) ? 0 : 1);
  }
}
