package dev.berth.decisions;

import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task whose file asks for less. Relaxation is defined by it: a specification without something
 * is that of a file without it.
 */
final class ConfigurationRelaxation {
  private final Set<Constraint> without;

  private ConfigurationRelaxation(Set<Constraint> without) {
    this.without = without;
  }

  /**
   * The task without some of what it asks for. Defaults go, too: a task without {@link
   * Constraint#MEMORY} asks for no memory at all, as {@code memory: 0..} does.
   */
  static TaskConfiguration of(TaskConfiguration task, Set<Constraint> without) {
    return new ConfigurationRelaxation(without).task(task);
  }

  private TaskConfiguration task(TaskConfiguration task) {
    boolean single = is(Constraint.NODES) && nodes(task) > 1;
    List<NodeGroup> groups = task.groups();
    return new TaskConfiguration(
        settings(task.run()),
        profile(task.profile()),
        task.commands(),
        task.ports(),
        single && groups == null ? Integer.valueOf(1) : task.nodes(),
        groups == null
            ? null
            : groups.stream().limit(single ? 1 : groups.size()).map(this::group).toList(),
        task.after());
  }

  private static int nodes(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    return groups == null
        ? Objects.requireNonNullElse(task.nodes(), 1)
        : groups.stream().mapToInt(NodeGroup::nodes).sum();
  }

  private boolean is(Constraint constraint) {
    return without.contains(constraint);
  }

  private <T> @Nullable T unless(Constraint constraint, @Nullable T value) {
    return is(constraint) ? null : value;
  }

  private NodeGroup group(NodeGroup group) {
    return new NodeGroup(
        group.name(),
        is(Constraint.NODES) ? 1 : group.nodes(),
        resources(group.resources()),
        group.commands(),
        group.ports());
  }

  private RunSettings settings(RunSettings run) {
    return new RunSettings(
        run.name(),
        run.image(),
        run.user(),
        run.privileged() && !is(Constraint.PRIVILEGED),
        run.entrypoint(),
        run.workingDir(),
        run.registryAuth(),
        run.python(),
        run.nvcc(),
        run.singleBranch(),
        run.env(),
        run.shell(),
        resources(run.resources()),
        run.priority(),
        run.volumes(),
        run.docker(),
        run.repos(),
        run.files(),
        run.dstack());
  }

  private ProfileParams profile(ProfileParams profile) {
    return new ProfileParams(
        unless(Constraint.BACKENDS, profile.backends()),
        unless(Constraint.REGIONS, profile.regions()),
        unless(Constraint.ZONES, profile.availabilityZones()),
        unless(Constraint.INSTANCE_TYPES, profile.instanceTypes()),
        unless(Constraint.RESERVATION, profile.reservation()),
        is(Constraint.SPOT_POLICY) ? SpotPolicy.AUTO : profile.spotPolicy(),
        profile.retry(),
        profile.maxDuration(),
        profile.stopDuration(),
        unless(Constraint.MAX_PRICE, profile.maxPrice()),
        is(Constraint.CREATION_POLICY) ? CreationPolicy.REUSE_OR_CREATE : profile.creationPolicy(),
        profile.idleDuration(),
        profile.utilizationPolicy(),
        profile.startupOrder(),
        profile.stopCriteria(),
        profile.schedule(),
        unless(Constraint.FLEETS, profile.fleets()),
        unless(Constraint.INSTANCES, profile.instances()),
        profile.tags(),
        profile.backendOptions());
  }

  private ResourcesSpec resources(ResourcesSpec resources) {
    CpuSpec cpu = resources.cpu();
    GpuSpec gpu = resources.gpu();
    return new ResourcesSpec(
        cpu == null
            ? null
            : new CpuSpec(
                unless(Constraint.CPU_ARCHITECTURE, cpu.arch()),
                unless(Constraint.CPUS, cpu.count())),
        unless(Constraint.MEMORY, resources.memory()),
        resources.shmSize(),
        gpu == null ? null : gpu(gpu),
        unless(Constraint.DISK, resources.disk()));
  }

  private @Nullable GpuSpec gpu(GpuSpec gpu) {
    GpuSpec less =
        new GpuSpec(
            unless(Constraint.GPU_VENDOR, gpu.vendor()),
            is(Constraint.GPU_NAME) ? List.of() : gpu.name(),
            is(Constraint.GPU_COUNT) ? any(gpu.count()) : gpu.count(),
            unless(Constraint.GPU_MEMORY, gpu.memory()),
            unless(Constraint.GPU_TOTAL_MEMORY, gpu.totalMemory()),
            unless(Constraint.GPU_CAPABILITY, gpu.computeCapability()));
    boolean nothing =
        is(Constraint.GPU_COUNT)
            && less.vendor() == null
            && less.name().isEmpty()
            && less.memory() == null
            && less.totalMemory() == null
            && less.computeCapability() == null;
    return nothing ? null : less;
  }

  /** Any number, of which what else is asked of accelerators makes at least one. */
  private static Range<Integer> any(Range<Integer> count) {
    return Range.atLeast(Integer.valueOf(0).equals(count.min()) ? 0 : 1);
  }
}
