package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A port of this machine that leads to one of a job.
 *
 * @param local 0 for any free one
 */
record ForwardedPort(int local, int job) {
  private static final int HIGHEST = 65_535;
  private static final Pattern WRITTEN = Pattern.compile("(?:(\\*|[0-9]{1,5}):)?([0-9]{1,5})");

  /** Reads {@code JOB}, {@code LOCAL:JOB} or {@code *:JOB}. */
  static ForwardedPort parse(String text) {
    Matcher written = WRITTEN.matcher(text);
    if (written.matches()) {
      int job = Integer.parseInt(written.group(2));
      String before = written.group(1);
      int local = before == null ? job : before.equals("*") ? 0 : Integer.parseInt(before);
      if (job >= 1 && job <= HIGHEST && local <= HIGHEST && (local >= 1 || "*".equals(before))) {
        return new ForwardedPort(local, job);
      }
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "'"
            + text
            + "' is not a port; expected the job's port (8080) or LOCAL:JOB (9090:8080), with ports"
            + " from 1 to "
            + HIGHEST);
  }

  /**
   * The ports of a configuration, and those of the command line, which win.
   *
   * @param jobsAreHere whether jobs may run on this machine, where they have their ports, or their
   *     engine publishes them: what the file gives a number is theirs then, and we would be in the
   *     way
   */
  static List<ForwardedPort> of(
      Map<String, ? extends @Nullable Object> configuration,
      List<ForwardedPort> written,
      boolean jobsAreHere) {
    List<ForwardedPort> ports = new ArrayList<>(written);
    if (configuration.get("ports") instanceof List<?> entries) {
      for (Object entry : entries) {
        ForwardedPort port = of((Map<?, ?>) entry);
        if (ports.stream().noneMatch(one -> one.job() == port.job())
            && (port.local() == 0 || !jobsAreHere)) {
          ports.add(port);
        }
      }
    }
    return ports;
  }

  private static ForwardedPort of(Map<?, ?> entry) {
    return new ForwardedPort(
        entry.get("local") instanceof Number local ? local.intValue() : 0,
        entry.get("container") instanceof Number job ? job.intValue() : 0);
  }
}
