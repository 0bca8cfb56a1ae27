package dev.berth.planning.testing;

import dev.berth.model.PolicyBound;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.InstanceSelector;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.RepoSpec;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Schedule;
import dev.berth.model.config.Size;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.Plan;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.task.TaskPlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task with everything that a test does not care about left out. */
public final class TaskBuilder {
  public static final String PROJECT = "main";
  public static final Duration STOP_DURATION = Duration.ofMinutes(5);

  public @Nullable String image;
  public @Nullable String user;
  public boolean privileged;
  public @Nullable String entrypoint;
  public @Nullable String workingDirectory;
  public @Nullable RegistryAuth registryAuth;
  public @Nullable String python;
  public @Nullable Boolean nvcc;
  public @Nullable Boolean docker;
  public boolean dstack;
  public @Nullable String shell;
  public @Nullable Integer nodes;
  public @Nullable List<NodeGroup> groups;
  public @Nullable RetryPolicy retry;
  public @Nullable Schedule schedule;
  public @Nullable UtilizationPolicy utilization;
  public @Nullable TimeLimit stopDuration = TimeLimit.of(STOP_DURATION);
  public @Nullable TimeLimit maxDuration;
  public @Nullable TimeLimit idleDuration;
  public @Nullable Integer priority;
  public @Nullable List<String> backends;
  public @Nullable List<String> regions;
  public @Nullable List<String> zones;
  public @Nullable List<String> instanceTypes;
  public @Nullable String reservation;
  public @Nullable SpotPolicy spotPolicy;
  public @Nullable Double maxPrice;
  public @Nullable CreationPolicy creationPolicy;
  public @Nullable StartupOrder startupOrder;
  public @Nullable StopCriteria stopCriteria;
  public @Nullable List<EntityReference> fleets;
  public @Nullable List<InstanceSelector> instances;
  public List<String> commands = List.of("echo hello");
  public List<PortMapping> ports = List.of();
  public @Nullable CpuSpec cpu;
  public @Nullable Range<Size> memory;
  public @Nullable Size shm;
  public @Nullable DiskSpec disk;
  public @Nullable GpuSpec gpu;
  public final List<EnvironmentVariable> environment = new ArrayList<>();
  public final List<FileMapping> files = new ArrayList<>();
  public final List<MountPoint> volumes = new ArrayList<>();
  public final List<RepoSpec> repos = new ArrayList<>();
  public final Map<String, Object> writtenResources = new LinkedHashMap<>();

  public static TaskBuilder task() {
    return new TaskBuilder();
  }

  public TaskBuilder cpus(int count) {
    cpu = new CpuSpec(null, Range.atLeast(count));
    writtenResources.put("cpu", Map.of("count", count));
    return this;
  }

  public TaskBuilder memory(long mib) {
    memory = Range.atLeast(new Size(mib));
    writtenResources.put("memory_mib", mib);
    return this;
  }

  public TaskBuilder disk(long mib) {
    disk = new DiskSpec(Range.atLeast(new Size(mib)));
    writtenResources.put("disk", Map.of("size_mib", mib));
    return this;
  }

  public TaskBuilder gpus(int count, String... names) {
    gpu = new GpuSpec(null, List.of(names), Range.atLeast(count), null, null, null);
    writtenResources.put("gpu", Map.of("count", count));
    return this;
  }

  public TaskBuilder gpuMemory(int count, long mib) {
    gpu =
        new GpuSpec(
            null, List.of(), Range.atLeast(count), Range.atLeast(new Size(mib)), null, null);
    writtenResources.put("gpu", Map.of("count", count, "memory_mib", mib));
    return this;
  }

  public TaskBuilder nodes(int count) {
    nodes = count;
    return this;
  }

  public TaskBuilder priority(int number) {
    priority = number;
    return this;
  }

  public TaskBuilder lasting(Duration most) {
    maxDuration = TimeLimit.of(most);
    return this;
  }

  /** Ended at once when its time is over. */
  public TaskBuilder endedAtOnce() {
    stopDuration = TimeLimit.of(Duration.ZERO);
    return this;
  }

  public TaskBuilder retrying(Duration window, RetryEvent... events) {
    retry = new RetryPolicy(List.of(events), window);
    return this;
  }

  public TaskBuilder at(String... cron) {
    schedule = new Schedule(List.of(cron));
    return this;
  }

  public TaskBuilder idle(Duration kept) {
    idleDuration = TimeLimit.of(kept);
    return this;
  }

  public TaskBuilder inFleet(String name) {
    fleets = List.of(new EntityReference(null, name));
    return this;
  }

  public TaskBuilder spot(SpotPolicy policy) {
    spotPolicy = policy;
    return this;
  }

  /** The task with its defaults, as far as the test has any. */
  public TaskConfiguration build() {
    return with(new ResourcesSpec(cpu, memory, shm, gpu, disk), groups);
  }

  /**
   * The task as the user wrote it, where only what is written is reserved: the resources of groups
   * are defaults.
   */
  public TaskConfiguration asWritten() {
    return with(
        new ResourcesSpec(
            writtenResources.containsKey("cpu") ? cpu : null,
            writtenResources.containsKey("memory_mib") ? memory : null,
            shm,
            writtenResources.containsKey("gpu") ? gpu : null,
            writtenResources.containsKey("disk") ? disk : null),
        groups == null ? null : groups.stream().map(TaskBuilder::withoutResources).toList());
  }

  private static NodeGroup withoutResources(NodeGroup group) {
    return new NodeGroup(
        group.name(),
        group.nodes(),
        new ResourcesSpec(null, null, group.resources().shmSize(), null, null),
        group.commands(),
        group.ports());
  }

  private TaskConfiguration with(ResourcesSpec resources, @Nullable List<NodeGroup> groupsOfNodes) {
    RunSettings run =
        new RunSettings(
            null,
            image,
            user,
            privileged,
            entrypoint,
            workingDirectory,
            registryAuth,
            python,
            nvcc,
            null,
            environment,
            shell,
            resources,
            priority,
            volumes,
            docker,
            repos,
            files,
            dstack);
    return new TaskConfiguration(run, profile(), commands, ports, nodes, groupsOfNodes);
  }

  /** What the planner of tasks makes of it. */
  public Plan plan(String project, List<PolicyBound> bounds, ContainerImages images) {
    return new TaskPlanner().plan(new PlanRequest<>(project, asWritten(), build(), bounds, images));
  }

  /** The same in the project {@value #PROJECT}, without policies. */
  public Plan plan() {
    return plan(PROJECT, List.of(), ContainerImages.USUAL);
  }

  public RunSpec spec() {
    return plan().spec();
  }

  private ProfileParams profile() {
    return new ProfileParams(
        backends,
        regions,
        zones,
        instanceTypes,
        reservation,
        spotPolicy,
        retry,
        maxDuration,
        stopDuration,
        maxPrice,
        creationPolicy,
        idleDuration,
        utilization,
        startupOrder,
        stopCriteria,
        schedule,
        fleets,
        instances,
        null,
        null);
  }

  /** The file as a run keeps it. */
  public Map<String, @Nullable Object> written() {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put("type", "task");
    if (!writtenResources.isEmpty()) {
      written.put("resources", writtenResources);
    }
    return written;
  }
}
