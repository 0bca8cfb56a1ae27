package dev.berth.decisions;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task with everything that a test does not care about left out. */
final class TaskBuilder {
  static final Duration STOP_DURATION = Duration.ofMinutes(5);

  @Nullable String image;
  @Nullable String user;
  boolean privileged;
  @Nullable String entrypoint;
  @Nullable String workingDirectory;
  @Nullable RegistryAuth registryAuth;
  @Nullable String python;
  @Nullable Boolean nvcc;
  @Nullable Boolean docker;
  boolean dstack;
  @Nullable String shell;
  @Nullable Integer nodes;
  @Nullable List<NodeGroup> groups;
  @Nullable RetryPolicy retry;
  @Nullable Schedule schedule;
  @Nullable UtilizationPolicy utilization;
  @Nullable TimeLimit stopDuration = TimeLimit.of(STOP_DURATION);
  @Nullable TimeLimit maxDuration;
  @Nullable TimeLimit idleDuration;
  @Nullable Integer priority;
  @Nullable List<String> backends;
  @Nullable List<String> regions;
  @Nullable List<String> zones;
  @Nullable List<String> instanceTypes;
  @Nullable String reservation;
  @Nullable SpotPolicy spotPolicy;
  @Nullable Double maxPrice;
  @Nullable CreationPolicy creationPolicy;
  @Nullable StartupOrder startupOrder;
  @Nullable StopCriteria stopCriteria;
  @Nullable List<EntityReference> fleets;
  @Nullable List<InstanceSelector> instances;
  List<String> commands = List.of("echo hello");
  List<PortMapping> ports = List.of();
  @Nullable CpuSpec cpu;
  @Nullable Range<Size> memory;
  @Nullable Size shm;
  @Nullable DiskSpec disk;
  @Nullable GpuSpec gpu;
  final List<EnvironmentVariable> environment = new ArrayList<>();
  final List<FileMapping> files = new ArrayList<>();
  final List<MountPoint> volumes = new ArrayList<>();
  final List<RepoSpec> repos = new ArrayList<>();
  final Map<String, Object> writtenResources = new LinkedHashMap<>();

  static TaskBuilder task() {
    return new TaskBuilder();
  }

  TaskBuilder cpus(int count) {
    cpu = new CpuSpec(null, Range.atLeast(count));
    writtenResources.put("cpu", Map.of("count", count));
    return this;
  }

  TaskBuilder memory(long mib) {
    memory = Range.atLeast(new Size(mib));
    writtenResources.put("memory_mib", mib);
    return this;
  }

  TaskBuilder disk(long mib) {
    disk = new DiskSpec(Range.atLeast(new Size(mib)));
    writtenResources.put("disk", Map.of("size_mib", mib));
    return this;
  }

  TaskBuilder gpus(int count, String... names) {
    gpu = new GpuSpec(null, List.of(names), Range.atLeast(count), null, null, null);
    writtenResources.put("gpu", Map.of("count", count));
    return this;
  }

  TaskBuilder gpuMemory(int count, long mib) {
    gpu =
        new GpuSpec(
            null, List.of(), Range.atLeast(count), Range.atLeast(new Size(mib)), null, null);
    writtenResources.put("gpu", Map.of("count", count, "memory_mib", mib));
    return this;
  }

  TaskBuilder nodes(int count) {
    nodes = count;
    return this;
  }

  TaskBuilder priority(int number) {
    priority = number;
    return this;
  }

  TaskBuilder lasting(Duration most) {
    maxDuration = TimeLimit.of(most);
    return this;
  }

  /** Ended at once when its time is over. */
  TaskBuilder endedAtOnce() {
    stopDuration = TimeLimit.of(Duration.ZERO);
    return this;
  }

  TaskBuilder retrying(Duration window, RetryEvent... events) {
    retry = new RetryPolicy(List.of(events), window);
    return this;
  }

  TaskBuilder at(String... cron) {
    schedule = new Schedule(List.of(cron));
    return this;
  }

  TaskBuilder idle(Duration kept) {
    idleDuration = TimeLimit.of(kept);
    return this;
  }

  TaskBuilder inFleet(String name) {
    fleets = List.of(new EntityReference(null, name));
    return this;
  }

  TaskBuilder spot(SpotPolicy policy) {
    spotPolicy = policy;
    return this;
  }

  TaskConfiguration build() {
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
            new ResourcesSpec(cpu, memory, shm, gpu, disk),
            priority,
            volumes,
            docker,
            repos,
            files,
            dstack);
    return new TaskConfiguration(run, profile(), commands, ports, nodes, groups);
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

  /** The file as the user wrote it, where only what is written is reserved. */
  Map<String, @Nullable Object> written() {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put("type", "task");
    if (!writtenResources.isEmpty()) {
      written.put("resources", writtenResources);
    }
    return written;
  }
}
