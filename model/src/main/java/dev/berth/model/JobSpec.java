package dev.berth.model;

import dev.berth.model.config.UtilizationPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a job does: commands in an environment, with limits.
 *
 * @param utilization when it is ended because its accelerators idle; null for never
 * @param secrets what of it is secret, by name; the words are put in when it is started
 */
public record JobSpec(
    @Nullable String shell,
    List<String> commands,
    @Nullable String workingDirectory,
    Map<String, String> environment,
    List<File> files,
    @Nullable Duration stopDuration,
    @Nullable Duration maxDuration,
    Requirements requirements,
    @Nullable UtilizationPolicy utilization,
    JobSecrets secrets) {
  public JobSpec {
    commands = List.copyOf(commands);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    files = List.copyOf(files);
    // Servers before this one knew none.
    secrets = Objects.requireNonNullElse(secrets, JobSecrets.NONE);
  }

  /** A job without secrets. */
  public JobSpec(
      @Nullable String shell,
      List<String> commands,
      @Nullable String workingDirectory,
      Map<String, String> environment,
      List<File> files,
      @Nullable Duration stopDuration,
      @Nullable Duration maxDuration,
      Requirements requirements,
      @Nullable UtilizationPolicy utilization) {
    this(
        shell,
        commands,
        workingDirectory,
        environment,
        files,
        stopDuration,
        maxDuration,
        requirements,
        utilization,
        JobSecrets.NONE);
  }

  /** A job that may leave its accelerators idle. */
  public JobSpec(
      @Nullable String shell,
      List<String> commands,
      @Nullable String workingDirectory,
      Map<String, String> environment,
      List<File> files,
      @Nullable Duration stopDuration,
      @Nullable Duration maxDuration,
      Requirements requirements) {
    this(
        shell,
        commands,
        workingDirectory,
        environment,
        files,
        stopDuration,
        maxDuration,
        requirements,
        null);
  }

  /** The same, with variables that are known only when it starts. */
  public JobSpec with(Map<String, String> variables, List<String> newCommands) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.putAll(variables);
    return new JobSpec(
        shell,
        newCommands,
        workingDirectory,
        all,
        files,
        stopDuration,
        maxDuration,
        requirements,
        utilization,
        secrets);
  }

  /** The same, with other requirements. */
  public JobSpec with(Requirements newRequirements) {
    return new JobSpec(
        shell,
        commands,
        workingDirectory,
        environment,
        files,
        stopDuration,
        maxDuration,
        newRequirements,
        utilization,
        secrets);
  }

  /** The same, with secrets. */
  public JobSpec with(JobSecrets newSecrets) {
    return new JobSpec(
        shell,
        commands,
        workingDirectory,
        environment,
        files,
        stopDuration,
        maxDuration,
        requirements,
        utilization,
        newSecrets);
  }

  /**
   * A file or folder of the user that the job gets.
   *
   * @param source its path on the user's machine, for a person to read
   * @param target where the job finds it: absolute, below {@code ~}, or relative to the working
   *     directory
   * @param archive the name of the uploaded archive that holds it; null where the source is a path
   *     of the machine that the job runs on
   */
  public record File(String source, String target, @Nullable String archive) {
    /** What is on the machine already. */
    public File(String source, String target) {
      this(source, target, null);
    }
  }

  /** What was written about the machine; null parts reserve nothing. */
  public record Requirements(
      @Nullable Integer cpus,
      @Nullable Long memoryMib,
      @Nullable Long diskMib,
      int gpus,
      List<String> gpuNames,
      @Nullable Long gpuMemoryMib) {
    public static final Requirements NONE = new Requirements(null, null, null, 0, List.of(), null);

    public Requirements {
      gpuNames = List.copyOf(gpuNames);
    }
  }
}
