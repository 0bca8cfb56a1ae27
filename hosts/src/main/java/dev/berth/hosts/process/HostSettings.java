package dev.berth.hosts.process;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachinePath;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a {@link ProcessRuntime} needs to know of its machine.
 *
 * @param machine the way into it
 * @param root the folder there that holds everything; several runtimes, also of several servers,
 *     may share it
 * @param shellCommand how the runner script is interpreted
 */
public record HostSettings(
    MachineAccess machine, MachinePath root, List<String> shellCommand, InstantSource clock) {
  private static final List<String> INHERITED =
      List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ");
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  public HostSettings {
    shellCommand = List.copyOf(shellCommand);
    if (shellCommand.isEmpty()) {
      throw new HostException(HostException.Code.INVALID, "the runner needs a shell");
    }
    if (root.text().chars().anyMatch(character -> character < ' ')) {
      // A line break would turn the mark that a job's processes are found by into two.
      throw new HostException(
          HostException.Code.INVALID, "the path of the jobs' folder contains a control character");
    }
  }

  /** A machine with {@code /bin/sh}. */
  public static HostSettings of(MachineAccess machine, MachinePath root) {
    return new HostSettings(machine, root, List.of("/bin/sh"), InstantSource.system());
  }

  /**
   * The variables that every job starts with. Secrets of the server, and its terminal, are none of
   * a job's business.
   */
  Map<String, String> inherited() {
    Map<String, String> environment = machine.commands().environment();
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
