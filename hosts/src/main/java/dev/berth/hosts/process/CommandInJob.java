package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Command;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineProcesses;
import dev.berth.hosts.access.OpenCommand;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.spi.Execution;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command beside those of a running job: a process with the job's folder, variables and limits.
 * It carries the job's mark, so that it ends with the job.
 */
final class CommandInJob implements Execution {
  private static final System.Logger LOGGER = System.getLogger(CommandInJob.class.getName());

  /** A variable by which the processes of one command are found again. */
  private static final String MARK = "BERTH_EXECUTION";

  /** The variable by which the runner finds the processes of a job. */
  private static final String JOB_MARK = "BERTH_JOB_DIRECTORY";

  /**
   * Enters the job's cgroups, as far as it can, and becomes the command. A shell that cannot find a
   * program names itself and its line, so that is looked at before.
   */
  private static final String SCRIPT =
      """
      while [ "$1" != -- ]; do echo 0 2>/dev/null >"$1/cgroup.procs"; shift; done
      shift
      case $1 in
        */*) [ -e "$1" ] ;;
        *) (set -f; IFS=:; for folder in ${PATH-}; do [ -e "${folder:-.}/$1" ] && exit; done; exit 1) ;;
      esac || { printf 'berth: %s: there is no such program\\n' "$1" >&2; exit 127; }
      exec "$@"
      """;

  private static final Duration START_PATIENCE = Duration.ofSeconds(20);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);
  private static final int MOST_KILLS = 100;

  private final OpenCommand command;
  private final MachineProcesses processes;
  private final String mark;

  private CommandInJob(OpenCommand command, MachineProcesses processes, String mark) {
    this.command = command;
    this.processes = processes;
    this.mark = mark;
  }

  /**
   * Starts one. What the command cannot be started for shows as its exit code, 126 or 127, and as a
   * line of its errors.
   *
   * @throws HostException ABSENT when the job's own process is not there
   */
  static CommandInJob start(HostSettings settings, JobDirectory directory, List<String> command) {
    MachineAccess machine = settings.machine();
    Begun job = begun(machine, directory);
    Map<String, String> environment = new LinkedHashMap<>(job.environment());
    String mark = UUID.randomUUID().toString();
    environment.put(MARK, mark);
    List<String> words = new ArrayList<>(settings.shellCommand());
    words.addAll(List.of("-c", SCRIPT, "berth"));
    words.addAll(directory.lines("cgroups"));
    words.add("--");
    words.addAll(command);
    try {
      MachinePath folder =
          machine
              .processes()
              .workingDirectory(job.process().pid())
              .orElseThrow(() -> over(directory));
      OpenCommand open = machine.commands().open(new Command(words, environment, folder));
      return new CommandInJob(open, machine.processes(), MARK + "=" + mark);
    } catch (HostException failure) {
      // Its folder may have gone with it.
      throw machine.processes().isAlive(job.process()) ? failure : over(directory);
    }
  }

  /** The job's own process, with its variables. */
  private record Begun(ProcessIdentity process, Map<String, String> environment) {}

  /**
   * The job with its variables as it has them: its secrets are in no file. A process that is about
   * to become the job still has those of its runner, which are none of the command's business, so
   * that is waited for.
   */
  private static Begun begun(MachineAccess machine, JobDirectory directory) {
    long deadline = System.nanoTime() + START_PATIENCE.toNanos();
    @Nullable HostException last = null;
    while (System.nanoTime() < deadline) {
      Optional<ProcessIdentity> job = directory.text("process").flatMap(ProcessIdentity::parse);
      if (job.isPresent()) {
        Map<String, String> environment = Map.of();
        try {
          environment = environmentOf(machine, job.get().pid());
        } catch (HostException failure) {
          // What is just becoming another program may be closed to us for a moment.
          last = failure;
        }
        if (!machine.processes().isAlive(job.get())) {
          throw over(directory);
        }
        if (environment.containsKey(JOB_MARK)) {
          return new Begun(job.get(), environment);
        }
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    throw new HostException(
        HostException.Code.MACHINE,
        "the attempt " + directory.attemptId() + " is about to start and has no process yet",
        last);
  }

  private static Map<String, String> environmentOf(MachineAccess machine, long pid) {
    Map<String, String> environment = new LinkedHashMap<>();
    byte[] bytes = machine.processes().environment(pid).orElse(new byte[0]);
    for (String entry : new String(bytes, machine.commands().charset()).split("\0")) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        environment.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    return environment;
  }

  private static HostException over(JobDirectory directory) {
    return new HostException(
        HostException.Code.ABSENT, "the attempt " + directory.attemptId() + " does not run");
  }

  @Override
  public OutputStream input() {
    return command.input();
  }

  @Override
  public InputStream output() {
    return command.output();
  }

  @Override
  public InputStream errors() {
    return command.errors();
  }

  @Override
  public int exitCode() throws InterruptedException {
    return command.exitCode();
  }

  /** What a command that has ended left behind belongs to the job and goes on with it. */
  @Override
  public void close() {
    if (!command.isRunning()) {
      return;
    }
    command.close();
    // Until nothing is found twice in a row: a process may fork just while it is looked for.
    int clear = 0;
    for (int round = 0; round < MOST_KILLS && clear < 2; round++) {
      clear = processes.killMarked(mark) ? clear + 1 : 0;
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    if (clear < 2) {
      LOGGER.log(System.Logger.Level.WARNING, "Processes of a command in a job are left");
    }
  }
}
