package dev.berth.hosts.access;

import java.time.Duration;
import java.util.OptionalInt;

/** A command that goes on without us. */
public interface DetachedCommand {
  /** The number of its process. */
  long pid();

  /**
   * Waits for its end as long as it takes. Its exit code; empty where the machine has no way to
   * tell us, so that whoever needs to know must look at what the command wrote.
   */
  OptionalInt awaitEnd() throws InterruptedException;

  /** The same for some time; also empty where it has not ended then. */
  OptionalInt awaitEnd(Duration patience) throws InterruptedException;

  /** Kills its process. Silent when it has ended. */
  void kill();
}
