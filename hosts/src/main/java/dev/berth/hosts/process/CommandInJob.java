package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

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

  private final Process process;
  private final MarkedProcesses marked;

  private CommandInJob(Process process, MarkedProcesses marked) {
    this.process = process;
    this.marked = marked;
  }

  /**
   * Starts one. What the command cannot be started for shows as its exit code, 126 or 127, and as a
   * line of its errors.
   *
   * @throws HostException ABSENT when the job's own process is not there
   */
  static CommandInJob start(
      JobDirectory directory, List<String> detached, List<String> shell, List<String> command) {
    Begun job = begun(directory);
    Map<String, String> environment = new LinkedHashMap<>(job.environment());
    String mark = UUID.randomUUID().toString();
    environment.put(MARK, mark);
    List<String> words = new ArrayList<>(detached);
    words.addAll(shell);
    words.addAll(List.of("-c", SCRIPT, "berth"));
    words.addAll(directory.lines("cgroups"));
    words.add("--");
    words.addAll(command);
    try {
      Path folder =
          Files.readSymbolicLink(Path.of("/proc", String.valueOf(job.process().pid()), "cwd"));
      ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      return new CommandInJob(builder.start(), new MarkedProcesses(MARK + "=" + mark));
    } catch (IOException failure) {
      if (!job.process().isAlive()) {
        throw over(directory);
      }
      throw new HostException(
          HostException.Code.MACHINE,
          "the command cannot be started: " + failure.getMessage(),
          failure);
    }
  }

  /** The job's own process, with its variables. */
  private record Begun(ProcessIdentity process, Map<String, String> environment) {}

  /**
   * The job with its variables as it has them: its secrets are in no file. A process that is about
   * to become the job still has those of its runner, which are none of the command's business, so
   * that is waited for.
   */
  private static Begun begun(JobDirectory directory) {
    long deadline = System.nanoTime() + START_PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<ProcessIdentity> job = directory.text("process").flatMap(ProcessIdentity::parse);
      if (job.isPresent()) {
        Map<String, String> environment = environmentOf(job.get().pid());
        if (!job.get().isAlive()) {
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
        "the attempt " + directory.attemptId() + " is about to start and has no process yet");
  }

  private static Map<String, String> environmentOf(long pid) {
    Map<String, String> environment = new LinkedHashMap<>();
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(Path.of("/proc", String.valueOf(pid), "environ"));
    } catch (IOException gone) {
      // Whoever asks looks whether the process lives.
      return environment;
    }
    // The one in which the JDK gives variables to processes.
    Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    for (String entry : new String(bytes, charset).split("\0")) {
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
    return process.getOutputStream();
  }

  @Override
  public InputStream output() {
    return process.getInputStream();
  }

  @Override
  public InputStream errors() {
    return process.getErrorStream();
  }

  @Override
  public int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** What a command that has ended left behind belongs to the job and goes on with it. */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    process.destroyForcibly();
    // Until nothing is found twice in a row: a process may fork just while it is looked for.
    int clear = 0;
    for (int round = 0; round < MOST_KILLS && clear < 2; round++) {
      clear = marked.kill() ? clear + 1 : 0;
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    if (clear < 2) {
      LOGGER.log(
          System.Logger.Level.WARNING, "Processes of the command " + process.pid() + " are left");
    }
  }
}
