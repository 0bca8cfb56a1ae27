package dev.berth.hosts.access;

import java.time.Duration;
import java.util.Optional;

/** The processes of a machine. */
public interface MachineProcesses {
  /**
   * What differs after every start of the machine, so that process numbers of an earlier one are
   * not believed.
   */
  String bootId();

  /** Whether exactly this process is there and has not ended. A zombie has ended. */
  boolean isAlive(ProcessIdentity process);

  /** Asks a process to end, by TERM. Idempotent; false where it is not there. */
  boolean terminate(ProcessIdentity process);

  /** Waits for the end of a process; false where it has not ended in time. */
  boolean awaitEnd(ProcessIdentity process, Duration patience) throws InterruptedException;

  /**
   * The variables that a process began with, each ended by a NUL byte; empty where the process is
   * not there. DENIED where it is not ours and we are not root.
   */
  Optional<byte[]> environment(long pid);

  /** Where a process is; empty where it is not there. DENIED where it is not ours. */
  Optional<MachinePath> workingDirectory(long pid);

  /**
   * Kills all processes that carry a variable with a value nobody else has. One may be born
   * meanwhile, so whoever wants them all gone repeats this.
   *
   * @param entry the variable as {@code NAME=value}
   * @return whether there was none
   */
  boolean killMarked(String entry);
}
