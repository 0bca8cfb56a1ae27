package dev.berth.hosts.jobdir;

import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachinePath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes the files of a job directory that the runner or the job's shell reads as shell text. Every
 * value goes through {@link #quote}, between single quotes, where a shell expands nothing: a value
 * cannot become code.
 */
public final class ShellText {
  private static final Duration LONGEST = Duration.ofDays(100_000);

  private static final Pattern KEPT_BY_SHELLS =
      Pattern.compile(
          "_|OPTIND|OPTERR|LINENO|PPID|E?UID|GROUPS|S?RANDOM|SECONDS|HISTCMD|DIRSTACK|FUNCNAME|PIPESTATUS"
              + "|SHELLOPTS|SHLVL|EPOCH(SECONDS|REALTIME)|COMP_.*|BASH.*");

  private ShellText() {}

  /** Whether a shell does not let a variable be set, or not to just anything. */
  static boolean isKeptByShells(String name) {
    return KEPT_BY_SHELLS.matcher(name).matches();
  }

  public static String quote(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  /**
   * The job's commands. {@code shift} takes away the path of this file, which the runner passes; a
   * plain {@code case} after each command keeps the exit code and, unlike {@code &&}, leaves a
   * user's {@code set -e} in force.
   */
  public static String commands(List<String> commands) {
    return commands.stream()
        .map(command -> "eval " + quote(command) + "\ncase $? in 0) ;; *) exit $? ;; esac\n")
        .collect(Collectors.joining("", "shift\n", ""));
  }

  /**
   * The job's variables, exported, and the function {@code become} that turns the runner's process
   * into the job. It carries those variables that a shell keeps for itself: setting them may fail,
   * and bash evaluates the value of some as arithmetic, which may contain commands. Secrets are not
   * in the text: see {@link RunnerSecrets}.
   */
  public static String environment(ShellJob spec) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PYTHONUNBUFFERED", "1");
    variables.putAll(spec.env());
    variables.put("BERTH_ATTEMPT_ID", spec.attemptId());
    StringBuilder exports = new StringBuilder(RunnerSecrets.exports(spec.secrets().keySet()));
    StringBuilder assignments = new StringBuilder();
    variables.forEach(
        (name, value) -> {
          String assignment = quote(name + "=" + value);
          if (isKeptByShells(name)) {
            assignments.append(' ').append(assignment);
          } else {
            exports.append("export ").append(assignment).append('\n');
          }
        });
    String exec = assignments.isEmpty() ? "exec" : "exec /usr/bin/env" + assignments;
    return exports + "become() { " + exec + " \"$@\"; }\n";
  }

  public static String settings(
      ShellJob spec, MachinePath events, ControlGroups.Placement placement) {
    MachinePath work = MachinePath.of(JobDirectory.WORK);
    MachinePath asked = spec.workingDirectory();
    MachinePath directory = asked == null ? work : work.resolve(asked);
    Duration maximum = spec.maxDuration();
    return """
    shell=%s
    directory=%s
    stop_duration=%d
    max_duration=%s
    events=%s
    group=%s
    limited=%s
    """
        .formatted(
            quote(spec.shell()),
            quote(directory.toString()),
            hundredths(spec.stopDuration()),
            maximum == null ? "" : String.valueOf(hundredths(maximum)),
            quote(events.toString()),
            placement.tracking() == null ? "" : quote(placement.tracking().toString()),
            placement.limited() ? "1" : "");
  }

  /**
   * The runner's unit of time, rounded up; bounded to some 270 years so that its sums stay numbers.
   */
  static long hundredths(Duration duration) {
    Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return bounded.plusNanos(9_999_999).toMillis() / 10;
  }
}
