package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.model.OutputMask;
import dev.berth.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What must be hidden in the output of jobs while they run. A server that did not start a job reads
 * it from the environment of the job's runner, so that it is what the job was started with,
 * whatever became of the secrets since. After the end the output itself has it no more.
 */
public final class JobMasks {
  /** What the kernel says to whoever reads from a process that has just ended. */
  private static final String NO_PROCESS = "No such process";

  /** Written by starts and first reads; cleared when the output was masked, and on removal. */
  private final Map<String, OutputMask> known = new ConcurrentHashMap<>();

  /** The folder of the process whose environment holds what is hidden; empty where it has ended. */
  private final Function<JobDirectory, Optional<Path>> runnerProcess;

  /** Of runners that are processes of this machine. */
  public JobMasks() {
    this(
        directory ->
            directory
                .text("runner")
                .flatMap(ProcessIdentity::parse)
                .filter(ProcessIdentity::isAlive)
                .map(runner -> process(runner.pid())));
  }

  public JobMasks(Function<JobDirectory, Optional<Path>> runnerProcess) {
    this.runnerProcess = runnerProcess;
  }

  /** Where the kernel tells of a process. */
  public static Path process(long pid) {
    return Path.of("/proc", Long.toString(pid));
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
    if (Files.notExists(directory.file(RunnerSecrets.FILE))) {
      return OutputMask.NOTHING;
    }
    if (Files.exists(directory.file("masked"))) {
      known.remove(attemptId);
      return OutputMask.NOTHING;
    }
    OutputMask mask = known.get(attemptId);
    if (mask != null) {
      return mask;
    }
    Optional<OutputMask> found = runnerProcess.apply(directory).flatMap(JobMasks::ofRunner);
    found.ifPresent(one -> known.put(attemptId, one));
    return found.orElse(OutputMask.NOTHING);
  }

  /**
   * What a runner hides. Empty where it has ended, which it does after it has masked the output,
   * and where it has not taken up its secrets yet, which it does before the job can write any.
   *
   * @throws HostException MACHINE where that cannot be known
   */
  private static Optional<OutputMask> ofRunner(Path process) {
    try {
      String environment =
          Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
      List<Secret> words =
          Arrays.stream(environment.split("\0"))
              .filter(variable -> variable.startsWith(RunnerSecrets.WORDS))
              .map(variable -> variable.substring(variable.indexOf('=') + 1))
              .flatMap(String::lines)
              // The words are UTF-8, while an environment may hold anything.
              .map(
                  word ->
                      new String(
                          word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
              .map(Secret::of)
              .toList();
      return words.isEmpty() ? Optional.empty() : Optional.of(OutputMask.of(words));
    } catch (IOException failure) {
      if (Files.notExists(process) || NO_PROCESS.equals(failure.getMessage())) {
        return Optional.empty();
      }
      throw new HostException(
          HostException.Code.MACHINE,
          "the output is not shown while the job runs, because it may hold secrets: this server did"
              + " not start the job, and may not read from its processes what to hide. Run the"
              + " server as root, or wait until the job has ended",
          failure);
    }
  }
}
