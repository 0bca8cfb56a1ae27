package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Cgroups;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a {@link ProcessRuntime} needs to know of its machine.
 *
 * @param root the folder that holds everything; several runtimes, also of several servers, may
 *     share it
 * @param shellCommand how the runner script is interpreted
 * @param environment the server's own variables, of which jobs inherit only {@link #inherited()}
 * @param cgroups the control groups that jobs may be put into
 */
public record HostSettings(
    Path root,
    List<String> shellCommand,
    Map<String, String> environment,
    Cgroups cgroups,
    InstantSource clock) {
  private static final List<String> INHERITED =
      List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ");
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  public HostSettings {
    shellCommand = List.copyOf(shellCommand);
    environment = Map.copyOf(environment);
    if (shellCommand.isEmpty()) {
      throw new HostException(HostException.Code.INVALID, "the runner needs a shell");
    }
    if (root.toString().chars().anyMatch(character -> character < ' ')) {
      // A line break would turn the mark that a job's processes are found by into two.
      throw new HostException(
          HostException.Code.INVALID, "the path of the jobs' folder contains a control character");
    }
  }

  /** This machine as it is, with {@code /bin/sh} and all cgroups that are ours. */
  public static HostSettings of(Path root) {
    return new HostSettings(
        root, List.of("/bin/sh"), System.getenv(), Cgroups.detect(), InstantSource.system());
  }

  /**
   * The variables that every job starts with. Secrets of the server, and its terminal, are none of
   * a job's business.
   */
  Map<String, String> inherited() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PATH", DEFAULT_PATH);
    for (String name : INHERITED) {
      String value = environment.get(name);
      if (value != null) {
        variables.put(name, value);
      }
    }
    return variables;
  }
}
