package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Executables;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.RunnerControl;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Calls the runner script. */
final class RunnerProcess implements RunnerControl {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HostSettings settings;
  private final Path script;
  private final DefaultSignals signals;
  private final List<String> detached;

  RunnerProcess(HostSettings settings, Path script) {
    this.settings = settings;
    this.script = script;
    String path = settings.inherited().getOrDefault("PATH", "");
    this.signals = DefaultSignals.detect(Executables.of(path));
    this.detached = Stream.concat(signals.prefix().stream(), Stream.of(findSetsid(path))).toList();
  }

  /**
   * Starts a runner in a session of its own, without our terminal, pipes, process group or ignored
   * signals, so that nothing that ends us reaches it. {@code setsid} becomes the runner rather than
   * its parent, because our children lead no group.
   *
   * @param variables what the runner gets besides what all get, without a trace on the disk
   */
  Process start(JobDirectory directory, Map<String, String> variables) {
    List<String> command = new ArrayList<>(detached);
    command.addAll(command("run", directory));
    return launch(command, directory, variables);
  }

  /** Kills what is left of a job, and waits for that. Does nothing for a job of another boot. */
  @Override
  public void sweep(JobDirectory directory) {
    Process sweep = launch(command("sweep", directory), directory, Map.of());
    try {
      if (!sweep.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        sweep.destroyForcibly();
        throw notKilled(directory);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(HostException.Code.MACHINE, "killing was interrupted", interrupted);
    }
    if (sweep.exitValue() != 0) {
      throw notKilled(directory);
    }
  }

  @Override
  public void wake(JobDirectory directory, ExitReason reason) {
    Optional<ProcessIdentity> watcher = directory.text("watcher").flatMap(ProcessIdentity::parse);
    if (watcher.isEmpty()) {
      return;
    }
    if (watcher.get().isAlive()) {
      ProcessHandle.of(watcher.get().pid()).ifPresent(ProcessHandle::destroy);
    } else if (Files.notExists(directory.file("ended"))) {
      // The watcher was killed and nobody is left to keep the grace; the keeper still reports the
      // end.
      directory.replace("ending", reason.word() + "\n");
      sweep(directory);
    }
  }

  /** Waits until the runner that has claimed a job is gone; returns at once when there is none. */
  void awaitEnd(JobDirectory directory) {
    Optional<ProcessHandle> runner =
        directory
            .text("runner")
            .flatMap(ProcessIdentity::parse)
            .filter(ProcessIdentity::isAlive)
            .flatMap(identity -> ProcessHandle.of(identity.pid()));
    if (runner.isEmpty()) {
      return;
    }
    try {
      runner.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(
          HostException.Code.MACHINE, "waiting for a runner was interrupted", interrupted);
    } catch (ExecutionException | TimeoutException failure) {
      throw new HostException(
          HostException.Code.NOT_KILLED,
          "the runner of " + directory.path() + " does not end",
          failure);
    }
  }

  private List<String> command(String verb, JobDirectory directory) {
    List<String> command = new ArrayList<>(settings.shellCommand());
    command.addAll(List.of(script.toString(), verb, directory.path().toString()));
    return command;
  }

  private Process launch(
      List<String> command, JobDirectory directory, Map<String, String> variables) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(settings.inherited());
    builder.environment().putAll(variables);
    File log = directory.file("runner.log").toFile();
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    try {
      return builder.start();
    } catch (IOException failure) {
      throw new HostException(HostException.Code.MACHINE, "the runner cannot be started", failure);
    }
  }

  private static HostException notKilled(JobDirectory directory) {
    return new HostException(
        HostException.Code.NOT_KILLED,
        "processes of the job in %s cannot be killed; its file warnings names them"
            .formatted(directory.path()));
  }

  /** What every job of this machine does without. */
  List<String> warnings() {
    return signals.warnings();
  }

  /** The words before a command that let it start in a session of its own, with default signals. */
  List<String> detached() {
    return detached;
  }

  private static String findSetsid(String path) {
    for (String folder : path.split(":")) {
      Path candidate = Path.of(folder, "setsid");
      if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
        return candidate.toString();
      }
    }
    throw new HostException(
        HostException.Code.MISSING_TOOL,
        "there is no setsid command in %s; it is part of util-linux and of busybox"
            .formatted(path));
  }
}
