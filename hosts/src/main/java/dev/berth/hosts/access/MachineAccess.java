package dev.berth.hosts.access;

/**
 * The way into a machine that runs jobs, wherever it is: this one, a host behind SSH, a rented
 * container behind an exec channel. The runtimes of jobs are written on it alone.
 *
 * <p>What holds for all its parts:
 *
 * <ul>
 *   <li>Any thread may use them at the same time. Calls block; none waits for a job, unless it says
 *       so.
 *   <li>A call may be a round trip to another continent. Whoever needs many answers asks for them
 *       in one call, as {@link MachineFiles#look} offers.
 *   <li>Paths are POSIX paths of the machine, {@link MachinePath}. The user that we are there is
 *       the user of the jobs that are processes, and of all files that we create.
 *   <li>A failure is a {@link dev.berth.hosts.HostException} with a sentence: {@code ABSENT} where
 *       the folder or process that a call works on is gone, {@code DENIED} where the machine does
 *       not let us, {@code INVALID} for what cannot be on any machine, and {@code MACHINE} for
 *       everything else: a full disk, a connection that broke. After {@code MACHINE} a call that
 *       changes something may have been carried out or not; each says whether it may be repeated.
 *   <li>Nothing that we start or create goes when the connection or the server does.
 * </ul>
 */
public interface MachineAccess extends AutoCloseable {
  MachineFiles files();

  MachineCommands commands();

  MachineProcesses processes();

  ControlGroups controlGroups();

  MachineStreams streams();

  /**
   * Lets go of the machine: ends the watches, and the connections to it that are ours. Jobs go on.
   * Nothing is asked for after that. Idempotent.
   */
  @Override
  void close();
}
