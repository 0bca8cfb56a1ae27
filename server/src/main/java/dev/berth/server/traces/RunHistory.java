package dev.berth.server.traces;

import dev.berth.model.Attempt;
import dev.berth.model.Run;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the ledger knows of runs. */
public interface RunHistory {
  /** Events after a number, the oldest first. */
  EventList after(long seq, int limit);

  /** Waits for events after a number, at most so long; returns the newest number. */
  long await(long seq, Duration atMost) throws InterruptedException;

  /** The first events about a run or an attempt. */
  List<EventView> about(String kind, String id);

  /** Whether an event says that one time of a run's schedule is over, by its number. */
  boolean isOver(String runId, int execution);

  Optional<Run> run(String id);

  Optional<Attempt> attempt(String id);

  /**
   * The run that a machine or placement group was made for, by the key that it carries; empty for
   * those of a fleet that users made.
   */
  Optional<String> runOfMachine(String id);
}
