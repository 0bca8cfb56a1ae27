package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineProcesses;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.model.OutputMask;
import dev.berth.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What must be hidden in the output of jobs while they run. A server that did not start a job reads
 * it from the environment of the job's runner, so that it is what the job was started with,
 * whatever became of the secrets since. After the end the output itself has it no more.
 */
public final class JobMasks {
  /** Written by starts and first reads; cleared when the output was masked, and on removal. */
  private final Map<String, OutputMask> known = new ConcurrentHashMap<>();

  private final MachineProcesses processes;

  /** The process whose environment holds what is hidden; empty where it has ended. */
  private final Function<JobDirectory, OptionalLong> runnerProcess;

  /**
   * Of runners wherever they are.
   *
   * @param runnerProcess the process of the machine that has the runner's variables; empty where it
   *     has ended
   */
  public JobMasks(MachineProcesses processes, Function<JobDirectory, OptionalLong> runnerProcess) {
    this.processes = processes;
    this.runnerProcess = runnerProcess;
  }

  /** Of runners that are processes of the machine. */
  public static JobMasks ofProcesses(MachineProcesses processes) {
    return new JobMasks(
        processes,
        directory ->
            directory
                .text(JobDirectory.RUNNER)
                .flatMap(ProcessIdentity::parse)
                .filter(processes::isAlive)
                .map(runner -> OptionalLong.of(runner.pid()))
                .orElse(OptionalLong.empty()));
  }

  public void remember(String attemptId, Collection<Secret> secrets) {
    if (!secrets.isEmpty()) {
      known.put(attemptId, OutputMask.of(secrets));
    }
  }

  public void forget(String attemptId) {
    known.remove(attemptId);
  }

  OutputMask of(String attemptId, JobDirectory directory) {
    if (!directory.has(RunnerSecrets.FILE)) {
      return OutputMask.NOTHING;
    }
    if (directory.has("masked")) {
      known.remove(attemptId);
      return OutputMask.NOTHING;
    }
    OutputMask mask = known.get(attemptId);
    if (mask != null) {
      return mask;
    }
    OptionalLong runner = runnerProcess.apply(directory);
    Optional<OutputMask> found =
        runner.isPresent() ? ofRunner(runner.getAsLong()) : Optional.empty();
    found.ifPresent(one -> known.put(attemptId, one));
    return found.orElse(OutputMask.NOTHING);
  }

  /**
   * What a runner hides. Empty where it has ended, which it does after it has masked the output,
   * and where it has not taken up its secrets yet, which it does before the job can write any.
   *
   * @throws HostException DENIED or MACHINE where that cannot be known
   */
  private Optional<OutputMask> ofRunner(long pid) {
    try {
      return processes.environment(pid).flatMap(JobMasks::mask);
    } catch (HostException failure) {
      throw new HostException(
          failure.code(),
          "the output is not shown while the job runs, because it may hold secrets: this server did"
              + " not start the job, and may not read from its processes what to hide. Run the"
              + " server as root, or wait until the job has ended",
          failure);
    }
  }

  private static Optional<OutputMask> mask(byte[] variables) {
    List<Secret> words =
        Arrays.stream(new String(variables, StandardCharsets.ISO_8859_1).split("\0"))
            .filter(variable -> variable.startsWith(RunnerSecrets.WORDS))
            .map(variable -> variable.substring(variable.indexOf('=') + 1))
            .flatMap(String::lines)
            // The words are UTF-8, while an environment may hold anything.
            .map(
                word ->
                    new String(word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
            .map(Secret::of)
            .toList();
    return words.isEmpty() ? Optional.empty() : Optional.of(OutputMask.of(words));
  }
}
