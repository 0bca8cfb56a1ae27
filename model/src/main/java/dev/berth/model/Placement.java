package dev.berth.model;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The search for a place for one replica: all its members get one, or none does. */
public record Placement(
    String id,
    String project,
    String runId,
    int replica,
    State phase,
    List<String> members,
    List<String> tried,
    Instant since)
    implements Entity {
  public Placement {
    members = List.copyOf(members);
    tried = List.copyOf(tried);
  }

  /** How far the search is. */
  public enum State {
    /** Waiting for a place. */
    RESERVING,
    /** A place is reserved and the members are being made there. */
    CREATING,
    /** All members are there. */
    READY,
    /** The members that were made are taken back before the next try, or the end. */
    UNWINDING,
    CLOSED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Kind kind() {
    return Kind.PLACEMENT;
  }

  @Override
  public String state() {
    return phase.word();
  }

  @Override
  public boolean active() {
    return phase != State.CLOSED;
  }

  @Override
  public String parent() {
    return runId;
  }

  public Placement in(State next) {
    return new Placement(id, project, runId, replica, next, members, tried, since);
  }
}
