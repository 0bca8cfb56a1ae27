package dev.berth.hosts.access.local;

import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachineCommands;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineProcesses;
import dev.berth.hosts.access.MachineStreams;
import java.util.HashMap;
import java.util.Map;

/** The machine that we run on, by system calls. */
public final class LocalAccess implements MachineAccess {
  private final LocalWatches watches = new LocalWatches();
  private final LocalFiles files = new LocalFiles(null, watches);
  private final MachineProcesses processes = new LocalProcesses();
  private final MachineStreams streams = new LocalStreams();
  private final MachineCommands commands;
  private final ControlGroups groups;

  /**
   * Touches nothing yet.
   *
   * @param environment the variables that commands begin with
   * @param groups the control groups that jobs may be put into
   */
  public LocalAccess(Map<String, String> environment, ControlGroups groups) {
    this.commands = new LocalCommands(environment);
    this.groups = groups;
  }

  /** This machine as it is, with our own variables and all cgroups that are ours. */
  public static LocalAccess ofThisMachine() {
    return new LocalAccess(System.getenv(), Cgroups.detect());
  }

  /** The same, where commands have another home folder. */
  public static LocalAccess withHome(MachinePath home) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("HOME", home.text());
    return new LocalAccess(environment, Cgroups.detect());
  }

  @Override
  public MachineFiles files() {
    return files;
  }

  @Override
  public MachineCommands commands() {
    return commands;
  }

  @Override
  public MachineProcesses processes() {
    return processes;
  }

  @Override
  public ControlGroups controlGroups() {
    return groups;
  }

  @Override
  public MachineStreams streams() {
    return streams;
  }

  @Override
  public void close() {
    watches.close();
  }
}
