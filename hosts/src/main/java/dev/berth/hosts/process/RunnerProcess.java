package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Command;
import dev.berth.hosts.access.DetachedCommand;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.RunnerControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Calls the runner script. */
final class RunnerProcess implements RunnerControl {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HostSettings settings;
  private final MachineAccess machine;
  private final MachinePath script;

  RunnerProcess(HostSettings settings, MachinePath script) {
    this.settings = settings;
    this.machine = settings.machine();
    this.script = script;
  }

  /**
   * Starts a runner, which nothing that ends us reaches.
   *
   * @param variables what the runner gets besides what all get, without a trace on the disk
   */
  DetachedCommand start(JobDirectory directory, Map<String, String> variables) {
    return call("run", directory, variables);
  }

  private DetachedCommand call(String verb, JobDirectory directory, Map<String, String> variables) {
    List<String> words = new ArrayList<>(settings.shellCommand());
    words.addAll(List.of(script.text(), verb, directory.path().text()));
    Map<String, String> environment = new LinkedHashMap<>(settings.inherited());
    environment.putAll(variables);
    return machine
        .commands()
        .start(new Command(words, environment, null), directory.file("runner.log"));
  }

  /** Kills what is left of a job, and waits for that. Does nothing for a job of another boot. */
  @Override
  public void sweep(JobDirectory directory) {
    DetachedCommand sweep = call("sweep", directory, Map.of());
    try {
      OptionalInt code = sweep.awaitEnd(PATIENCE);
      if (code.isEmpty()) {
        sweep.kill();
      }
      if (code.isEmpty() || code.getAsInt() != 0) {
        throw new HostException(
            HostException.Code.NOT_KILLED,
            "processes of the job in %s cannot be killed; its file warnings names them"
                .formatted(directory.path()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(HostException.Code.MACHINE, "killing was interrupted", interrupted);
    }
  }

  @Override
  public void wake(JobDirectory directory, ExitReason reason) {
    Optional<ProcessIdentity> watcher = directory.text("watcher").flatMap(ProcessIdentity::parse);
    if (watcher.isEmpty() || machine.processes().terminate(watcher.get())) {
      return;
    }
    if (!directory.has("ended")) {
      // The watcher was killed and nobody is left to keep the grace; the keeper still reports the
      // end.
      directory.replace("ending", reason.word() + "\n");
      sweep(directory);
    }
  }

  /** Waits until the runner that has claimed a job is gone; returns at once when there is none. */
  void awaitEnd(JobDirectory directory) {
    Optional<ProcessIdentity> runner = directory.text("runner").flatMap(ProcessIdentity::parse);
    try {
      if (runner.isPresent() && !machine.processes().awaitEnd(runner.get(), PATIENCE)) {
        throw new HostException(
            HostException.Code.NOT_KILLED, "the runner of " + directory.path() + " does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(
          HostException.Code.MACHINE, "waiting for a runner was interrupted", interrupted);
    }
  }
}
