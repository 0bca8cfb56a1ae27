package dev.berth.hosts.process;

import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.RunnerSecrets;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.jobdir.ShellText;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fills the directory of a job that runs as processes.
 *
 * @param limitations what every job of the machine does without
 */
record JobPreparation(MachineAccess machine, JobStore store, List<String> limitations) {

  void fill(JobDirectory directory, ShellJob job) {
    directory.createFolder(JobDirectory.WORK);
    place(job, directory);
    ControlGroups.Placement placement =
        machine
            .controlGroups()
            .place(store.uniqueName(job.attemptId()), job.cpus(), job.memoryBytes());
    directory.create("job.env", ShellText.environment(job));
    directory.create("commands", ShellText.commands(job.commands()));
    directory.create("spec", ShellText.settings(job, store.eventFile(job.attemptId()), placement));
    if (!job.secrets().isEmpty()) {
      directory.create(RunnerSecrets.FILE, JobStore.lines(List.copyOf(job.secrets().keySet())));
    }
    if (!placement.groups().isEmpty()) {
      directory.create(
          "cgroups", JobStore.lines(placement.groups().stream().map(MachinePath::text).toList()));
    }
    List<String> warnings =
        Stream.concat(limitations.stream(), placement.warnings().stream()).toList();
    if (!warnings.isEmpty()) {
      directory.create("warnings", JobStore.lines(warnings));
    }
  }

  private static void place(ShellJob job, JobDirectory directory) {
    MachinePath work = directory.file(JobDirectory.WORK);
    MachinePath asked = job.workingDirectory();
    MachinePath folder = asked == null ? work : work.resolve(asked);
    job.inputs().forEach(input -> directory.place(input, folder));
  }
}
