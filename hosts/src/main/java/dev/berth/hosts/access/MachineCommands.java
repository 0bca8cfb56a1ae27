package dev.berth.hosts.access;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starting commands on a machine. */
public interface MachineCommands {
  /** The variables that commands of our user begin with there, such as PATH and HOME. */
  Map<String, String> environment();

  /**
   * How the text of variables becomes bytes, so that those of a process can be given to another.
   */
  Charset charset();

  /** The program that a shell would find by a name, along the PATH of {@link #environment()}. */
  Optional<MachinePath> find(String program);

  /**
   * What every command there does without, a sentence each; mostly none.
   *
   * @throws dev.berth.hosts.HostException MISSING_TOOL where the machine cannot start commands in a
   *     session of their own
   */
  List<String> limitations();

  /**
   * Starts a command in a session of its own, which nothing that ends us reaches. It reads nothing,
   * and what it prints is appended to a file. Not idempotent: after an unclear outcome it may run.
   *
   * @throws dev.berth.hosts.HostException MACHINE where it cannot be started
   */
  DetachedCommand start(Command command, MachinePath log);

  /**
   * Starts a command in a session of its own whose input and output are ours. When the connection
   * breaks it goes on, unless its pipes end it. Not idempotent.
   *
   * @throws dev.berth.hosts.HostException MACHINE where it cannot be started
   */
  OpenCommand open(Command command);
}
