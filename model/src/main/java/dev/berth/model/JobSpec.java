package dev.berth.model;

import dev.berth.model.config.UtilizationPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a job does: commands in an environment, with limits.
 *
 * @param utilization when it is ended because its accelerators idle; null for never
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
    @Nullable UtilizationPolicy utilization) {
  public JobSpec {
    commands = List.copyOf(commands);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    files = List.copyOf(files);
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
        utilization);
  }

  /** A file of the client that the job gets, by the absolute path on the machine of the server. */
  public record File(String source, String target) {}

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
