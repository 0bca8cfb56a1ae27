package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;
import dev.berth.model.Secret;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job runs in a shell of a machine, and with what.
 *
 * <p>The commands run one after the other in one shell, so that a variable or directory set by one
 * is seen by the next. Each is parsed on its own ({@code eval}), so neither a comment, nor {@code
 * &}, nor a here-document that is not closed can swallow its successor. The first that fails ends
 * the job with its exit code.
 *
 * @param attemptId names the job directory: letters, digits, {@code . _ -}, not starting with a dot
 *     or dash
 * @param shell a POSIX-like shell (sh, bash, dash, zsh): a name looked up in the job's PATH, or a
 *     path
 * @param workingDirectory where the commands start: absolute, or relative to the job directory's
 *     {@code work} folder; null is that folder. It is not created: when it is missing the job fails
 *     to start
 * @param env variables of the job, over the few that it inherits. Names are those that a shell can
 *     export
 * @param stopDuration the time from TERM to KILL when {@code maxDuration} is over
 * @param maxDuration how long the job may run; null is for ever
 * @param cpus processors it may use; null is no limit. Limits are kept where cgroups permit,
 *     otherwise a warning says so
 * @param memoryBytes memory it may use; null is no limit
 * @param secrets variables that must not be seen: they are on no command line and in no file, and
 *     the output hides them
 */
public record ShellJob(
    String attemptId,
    String shell,
    List<String> commands,
    @Nullable MachinePath workingDirectory,
    Map<String, String> env,
    Duration stopDuration,
    @Nullable Duration maxDuration,
    @Nullable Double cpus,
    @Nullable Long memoryBytes,
    List<Input> inputs,
    Map<String, Secret> secrets) {
  /** How long a job may take to end where nobody says. */
  public static final Duration DEFAULT_STOP_DURATION = Duration.ofMinutes(5);

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public ShellJob {
    JobDirectory.requireValidId(attemptId);
    commands = List.copyOf(commands);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    inputs = List.copyOf(inputs);
    secrets = Collections.unmodifiableMap(new LinkedHashMap<>(secrets));
    Objects.requireNonNull(stopDuration);
    require(!shell.isBlank() && !shell.startsWith("-"), "the shell needs a name");
    requireText(shell, "the shell's name");
    require(!commands.isEmpty(), "a job needs at least one command");
    commands.forEach(command -> requireText(command, "a command"));
    env.forEach(
        (name, value) -> {
          requireVariable(name);
          requireText(value, "the variable " + name);
        });
    secrets.forEach(
        (name, value) -> {
          requireVariable(name);
          require(
              !ShellText.isKeptByShells(name),
              "the variable %s is one that shells keep for themselves, so it cannot hold a secret"
                  .formatted(name));
          requireText(value.reveal(), "the variable " + name);
        });
    require(!stopDuration.isNegative(), "stop_duration is not negative");
    require(maxDuration == null || maxDuration.isPositive(), "max_duration is positive");
    require(cpus == null || (cpus > 0 && Double.isFinite(cpus)), "a cpu limit is positive");
    require(memoryBytes == null || memoryBytes > 0, "a memory limit is positive");
  }

  /** A job without secrets. */
  public ShellJob(
      String attemptId,
      String shell,
      List<String> commands,
      @Nullable MachinePath workingDirectory,
      Map<String, String> env,
      Duration stopDuration,
      @Nullable Duration maxDuration,
      @Nullable Double cpus,
      @Nullable Long memoryBytes,
      List<Input> inputs) {
    this(
        attemptId,
        shell,
        commands,
        workingDirectory,
        env,
        stopDuration,
        maxDuration,
        cpus,
        memoryBytes,
        inputs,
        Map.of());
  }

  /** The same with variables that must not be seen. */
  public ShellJob with(Map<String, Secret> newSecrets) {
    return new ShellJob(
        attemptId,
        shell,
        commands,
        workingDirectory,
        env,
        stopDuration,
        maxDuration,
        cpus,
        memoryBytes,
        inputs,
        newSecrets);
  }

  private static void requireVariable(String name) {
    require(
        VARIABLE.matcher(name).matches(),
        "the variable name '%s' is not one that a shell can export: use letters, digits and _"
            .formatted(name));
  }

  private static void requireText(String text, String what) {
    require(text.indexOf('\0') < 0, what + " contains a NUL byte, which no program can be given");
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new HostException(HostException.Code.INVALID, sentence);
    }
  }
}
