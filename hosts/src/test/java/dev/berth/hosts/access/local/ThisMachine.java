package dev.berth.hosts.access.local;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineProcesses;
import java.nio.file.Path;
import java.util.List;

/** The machine of the tests, whose files they also touch without {@link LocalAccess}. */
public final class ThisMachine {
  public static final LocalAccess ACCESS = LocalAccess.ofThisMachine();

  private ThisMachine() {}

  public static Path path(MachinePath path) {
    return Path.of(path.text());
  }

  /** The signals that commands ignore, where programs are found along a path. */
  public static List<String> ignoredSignals(String searchPath) {
    return DefaultSignals.detect(Executables.of(searchPath)).stillIgnored();
  }

  /** Processes that a folder tells of as {@code /proc} would. */
  public static MachineProcesses processes(Path proc) {
    return new LocalProcesses(proc);
  }

  public static MachinePath path(Path path) {
    return MachinePath.of(path.toString());
  }
}
