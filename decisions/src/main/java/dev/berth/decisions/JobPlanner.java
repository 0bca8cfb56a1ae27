package dev.berth.decisions;

import dev.berth.model.JobSpec;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Size;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns a task into the jobs that it needs, and says what cannot be run. */
public final class JobPlanner {
  private JobPlanner() {}

  /** Why a place that runs plain processes cannot run this task; empty where it can. */
  public static List<Unsupported> unsupportedOnHosts(TaskConfiguration task) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
    refuse(
        found,
        run.image() != null,
        "image",
        "this machine runs commands without an image; remove it, or use a backend that runs"
            + " containers");
    refuse(
        found,
        Boolean.TRUE.equals(run.nvcc()),
        "nvcc",
        "this machine runs commands without an image, so there is none with nvcc");
    refuse(
        found,
        Boolean.TRUE.equals(run.docker()),
        "docker",
        "this machine runs commands without an image, so there is no Docker inside of one");
    refuse(
        found,
        run.registryAuth() != null,
        "registry_auth",
        "this machine runs commands without an image, so there is no registry to log in to");
    refuse(found, run.privileged(), "privileged", "this machine runs commands without a container");
    refuse(
        found,
        run.entrypoint() != null,
        "entrypoint",
        "this machine runs commands without an image; put it into 'commands'");
    refuse(
        found, run.user() != null, "user", "this machine runs commands as the user of the server");
    refuse(
        found,
        !run.volumes().isEmpty(),
        "volumes",
        "volumes are not mounted on this machine; name its folders in the commands");
    return found;
  }

  /** Why no place that runs containers can run this task yet. */
  public static List<Unsupported> unsupportedInContainersYet(TaskConfiguration task) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
    refuse(
        found,
        run.registryAuth() != null,
        "registry_auth",
        "secrets are not kept in this version; use an image that is public");
    refuse(
        found,
        Boolean.TRUE.equals(run.docker()),
        "docker",
        "Docker inside of containers does not run in this version");
    refuse(
        found,
        run.entrypoint() != null,
        "entrypoint",
        "entrypoints are not replaced in this version; put it into 'commands'");
    refuse(found, !run.volumes().isEmpty(), "volumes", "volumes are not mounted in this version");
    refuse(
        found,
        !run.files().isEmpty(),
        "files",
        "files are not sent to other machines in this version");
    return found;
  }

  /** Why no place can run this task yet. */
  public static List<Unsupported> unsupportedYet(TaskConfiguration task) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
    Integer nodes = task.nodes();
    RetryPolicy retry = task.profile().retry();
    refuse(
        found,
        task.groups() != null || (nodes != null && nodes > 1),
        task.groups() != null ? "groups" : "nodes",
        "tasks of several nodes do not run in this version");
    refuse(
        found,
        task.profile().schedule() != null,
        "schedule",
        "schedules do not run in this version; start the task when it shall run");
    refuse(
        found,
        retry != null && !retry.isOff(),
        "retry",
        "runs are not retried in this version; remove it and submit again when needed");
    refuse(
        found,
        !run.repos().isEmpty(),
        "repos",
        "repositories are not cloned in this version; use 'files', or clone in the commands");
    refuse(
        found, run.dstack(), "dstack", "the server is not reachable inside jobs in this version");
    refuse(
        found,
        task.profile().utilizationPolicy() != null,
        "utilization_policy",
        "utilisation is not watched in this version");
    for (EnvironmentVariable variable : run.env()) {
      refuse(
          found,
          variable.value() == null,
          "env." + variable.name(),
          "the variable has no value; set it in your environment or with -e "
              + variable.name()
              + "=VALUE");
      refuse(
          found,
          variable.value() != null && variable.value().contains("${{ secrets."),
          "env." + variable.name(),
          "secrets are not kept in this version");
    }
    return found;
  }

  private static void refuse(
      List<Unsupported> found, boolean condition, String path, String message) {
    if (condition) {
      found.add(new Unsupported(path, message));
    }
  }

  /** A field that cannot be honoured, with what to do about it. */
  public record Unsupported(String path, String message) {}

  static JobSpec spec(Message.Submit submit, String jobId) {
    TaskConfiguration task = submit.task();
    RunSettings run = task.run();
    Map<String, String> environment = new LinkedHashMap<>();
    systemVariables(submit, jobId)
        .forEach(
            (name, value) -> {
              environment.put("BERTH_" + name, value);
              environment.put("DSTACK_" + name, value);
            });
    for (EnvironmentVariable variable : run.env()) {
      environment.put(variable.name(), Objects.requireNonNullElse(variable.value(), ""));
    }
    List<JobSpec.File> files =
        run.files().stream().map(file -> new JobSpec.File(file.localPath(), file.path())).toList();
    return new JobSpec(
        run.shell(),
        task.commands(),
        run.workingDir(),
        environment,
        files,
        limit(task.profile().stopDuration()),
        limit(task.profile().maxDuration()),
        requirements(run.resources(), submit.written()));
  }

  private static Map<String, String> systemVariables(Message.Submit submit, String jobId) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("RUN_NAME", submit.name());
    variables.put("RUN_ID", submit.runId());
    variables.put("JOB_ID", jobId);
    variables.put("NODES_NUM", "1");
    variables.put("NODE_RANK", "0");
    variables.put("NODES_IPS", "127.0.0.1");
    variables.put("MASTER_NODE_IP", "127.0.0.1");
    return variables;
  }

  private static @Nullable Duration limit(@Nullable TimeLimit limit) {
    return limit == null ? null : limit.duration();
  }

  /** Only what the user wrote is reserved: defaults are for places that cost money. */
  public static JobSpec.Requirements requirements(
      ResourcesSpec resources, Map<String, @Nullable Object> written) {
    if (!(written.get("resources") instanceof Map<?, ?> asked)) {
      return JobSpec.Requirements.NONE;
    }
    CpuSpec cpu = resources.cpu();
    Range<Integer> cpus = asked.get("cpu") == null || cpu == null ? null : cpu.count();
    Range<Size> memory = asked.get("memory_mib") == null ? null : resources.memory();
    DiskSpec disk = asked.get("disk") == null ? null : resources.disk();
    GpuSpec gpu = asked.get("gpu") == null ? null : resources.gpu();
    Integer gpus = gpu == null ? null : gpu.count().min();
    Range<Size> gpuMemory = gpu == null ? null : gpu.memory();
    return new JobSpec.Requirements(
        cpus == null ? null : cpus.min(),
        least(memory),
        disk == null ? null : least(disk.size()),
        gpus == null ? 0 : gpus,
        gpu == null ? List.of() : gpu.name(),
        least(gpuMemory));
  }

  private static @Nullable Long least(@Nullable Range<Size> range) {
    Size min = range == null ? null : range.min();
    return min == null ? null : min.mib();
  }
}
