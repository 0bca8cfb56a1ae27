package dev.berth.hosts.container;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.Input;
import dev.berth.hosts.jobdir.InputArchive;
import dev.berth.hosts.jobdir.InputFile;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.RunnerSecrets;
import dev.berth.hosts.jobdir.ShellText;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.spi.Archives;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Puts into a job directory all that a container will need, before an image is looked at: the files
 * that the job gets, and its secrets, in files that are deleted when they were used.
 */
final class ContainerStaging {
  /** A folder; what is in it has the numbers of the job's files as names. */
  static final String FILES = "files";

  /** The variables of the runner, which reads and deletes it. */
  static final String SECRETS = "secrets.env";

  private ContainerStaging() {}

  static void fill(
      JobDirectory directory,
      JobRequest request,
      Container container,
      ContainerJob job,
      Archives archives) {
    directory.createFolder(JobDirectory.WORK);
    List<JobSpec.File> files = request.spec().files();
    if (!files.isEmpty()) {
      directory.createFolder(FILES);
    }
    for (int number = 0; number < files.size(); number++) {
      MachinePath staged = MachinePath.of(String.valueOf(number));
      directory.place(input(staged, files.get(number), archives), directory.file(FILES));
    }
    directory.create(JobDirectory.CONTAINER, job.text());
    // cgroups in the container's own view: they are the engine's to remove.
    directory.create("bounds", "/sys/fs/cgroup\n/sys/fs/cgroup/memory\n");
    if (!job.secrets().isEmpty()) {
      directory.create(RunnerSecrets.FILE, JobStore.lines(job.secrets()));
    }
    Map<String, String> variables = RunnerSecrets.variables(request.secrets(), request.hidden());
    if (!variables.isEmpty()) {
      directory.create(
          SECRETS,
          variables.entrySet().stream()
              .map(one -> "export " + one.getKey() + "=" + ShellText.quote(one.getValue()) + "\n")
              .collect(Collectors.joining()));
    }
    Container.Registry registry = container.registry();
    if (registry != null) {
      directory.create(
          JobDirectory.REGISTRY, registry.username() + "\n" + registry.password().reveal() + "\n");
    }
  }

  private static Input input(MachinePath staged, JobSpec.File file, Archives archives) {
    String archive = file.archive();
    return archive == null
        ? new InputFile(staged, MachinePath.of(file.source()))
        : new InputArchive(staged, file.source(), () -> archives.open(archive));
  }

  /**
   * The lines that the runner reads to put the files to where the job expects them, after it has
   * made the working directory. Where that fails it says that it cannot enter it.
   */
  static String placing(List<String> targets) {
    StringBuilder lines = new StringBuilder("mkdir -p -- \"$directory\" 2>/dev/null\n");
    for (int number = 0; number < targets.size(); number++) {
      lines
          .append("place ")
          .append(ShellText.quote(FILES + "/" + number))
          .append(' ')
          .append(ShellText.quote(targets.get(number)))
          .append('\n');
    }
    return lines.toString();
  }
}
