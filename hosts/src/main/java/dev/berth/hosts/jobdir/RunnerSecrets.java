package dev.berth.hosts.jobdir;

import dev.berth.model.OutputMask;
import dev.berth.model.Secret;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How secrets get from us to a job: in the environment of its runner, which only the same user and
 * root can read, under names of our own, so that a variable of the job cannot disturb the runner.
 * {@code job.env} gives them their names. Nothing of this touches the disk.
 */
public final class RunnerSecrets {
  /** The file with the names of the variables. */
  public static final String FILE = "secrets";

  /** What the runner hides in the output when the job has ended, a line each. */
  static final String WORDS = "BERTH_RUNNER_WORDS_";

  private static final String PREFIX = "BERTH_RUNNER_SECRET_";

  private RunnerSecrets() {}

  /**
   * The runner's variables.
   *
   * @param hidden what the output must not show; a variable for each, because a long one fills one
   */
  public static Map<String, String> variables(Map<String, Secret> secrets, List<Secret> hidden) {
    Map<String, String> variables = new LinkedHashMap<>();
    int number = 0;
    for (Secret secret : secrets.values()) {
      variables.put(PREFIX + number++, secret.reveal());
    }
    number = 0;
    for (Secret secret : longestFirst(hidden)) {
      List<String> words = OutputMask.singleLines(List.of(secret));
      if (!words.isEmpty()) {
        variables.put(WORDS + number++, String.join("\n", words));
      }
    }
    return variables;
  }

  /** A secret may be a part of another one, of which nothing must be left. */
  private static List<Secret> longestFirst(List<Secret> secrets) {
    return secrets.stream()
        .sorted(Comparator.comparingInt((Secret secret) -> secret.reveal().length()).reversed())
        .toList();
  }

  /** The lines of {@code job.env} that turn the runner's variables into the job's. */
  static String exports(Collection<String> names) {
    StringBuilder lines = new StringBuilder();
    int number = 0;
    for (String name : names) {
      String given = PREFIX + number;
      lines.append("export ").append(name).append("=\"$").append(given).append("\"\n");
      lines.append("unset ").append(given).append('\n');
      number++;
    }
    return lines.toString();
  }
}
