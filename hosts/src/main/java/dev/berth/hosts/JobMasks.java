package dev.berth.hosts;

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
final class JobMasks {
  /** Written by starts and first reads; cleared when the output was masked, and on removal. */
  private final Map<String, OutputMask> known = new ConcurrentHashMap<>();

  /** The process whose environment holds what is hidden; empty where it has ended. */
  private final Function<JobDirectory, Optional<Long>> runnerProcess;

  /** Of runners that are processes of this machine. */
  JobMasks() {
    this(
        directory ->
            directory
                .text("runner")
                .flatMap(ProcessIdentity::parse)
                .filter(ProcessIdentity::isAlive)
                .map(ProcessIdentity::pid));
  }

  JobMasks(Function<JobDirectory, Optional<Long>> runnerProcess) {
    this.runnerProcess = runnerProcess;
  }

  void remember(String attemptId, Collection<Secret> secrets) {
    if (!secrets.isEmpty()) {
      known.put(attemptId, OutputMask.of(secrets));
    }
  }

  void forget(String attemptId) {
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

  private static Optional<OutputMask> ofRunner(long pid) {
    try {
      String environment =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1);
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
      return Optional.of(OutputMask.of(words));
    } catch (IOException gone) {
      // It ended meanwhile, and has masked the output before.
      return Optional.empty();
    }
  }
}
