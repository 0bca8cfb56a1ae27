package dev.berth.hosts.process;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.gpus.DeviceVariables;
import dev.berth.hosts.jobdir.Input;
import dev.berth.hosts.jobdir.InputArchive;
import dev.berth.hosts.jobdir.InputFile;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.model.JobRequest;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Archives;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Turns what the control plane says of jobs into what the host runs. */
final class JobTranslation {
  private JobTranslation() {}

  /**
   * What the host runs.
   *
   * @param visible the variables that tell which devices are the job's; they win over the user's,
   *     who cannot know what was allocated
   * @param home what {@code ~} stands for in paths
   * @param archives where uploaded files come from
   */
  static ShellJob spec(
      JobRequest request,
      Map<String, String> visible,
      String defaultShell,
      MachinePath home,
      Archives archives) {
    dev.berth.model.JobSpec job = request.spec();
    ResourceVector share = request.share();
    Map<String, String> environment =
        new LinkedHashMap<>(DeviceVariables.counts(share.devices().size()));
    environment.putAll(job.environment());
    environment.putAll(visible);
    List<Input> inputs = job.files().stream().map(file -> input(file, home, archives)).toList();
    String directory = job.workingDirectory();
    return new ShellJob(
        request.attemptId(),
        Objects.requireNonNullElse(job.shell(), defaultShell),
        job.commands(),
        directory == null ? null : path(directory, home),
        environment,
        Objects.requireNonNullElse(job.stopDuration(), ShellJob.DEFAULT_STOP_DURATION),
        job.maxDuration(),
        share.cpus() > 0 ? Double.valueOf(share.cpus()) : null,
        share.memoryMib() > 0 ? Long.valueOf(share.memoryMib() << 20) : null,
        inputs,
        request.secrets());
  }

  private static Input input(
      dev.berth.model.JobSpec.File file, MachinePath home, Archives archives) {
    MachinePath target = path(file.target(), home);
    String archive = file.archive();
    return archive == null
        ? new InputFile(target, path(file.source(), home))
        : new InputArchive(target, file.source(), () -> archives.open(archive));
  }

  private static MachinePath path(String text, MachinePath home) {
    if (text.equals("~")) {
      return home;
    }
    return text.startsWith("~/") ? home.resolve(text.substring(2)) : MachinePath.of(text);
  }
}
