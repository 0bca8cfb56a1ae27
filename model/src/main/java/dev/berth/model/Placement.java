package dev.berth.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The search for a place for one replica: all its members get one, or none does.
 *
 * @param members the attempts that wait for a place or have it
 * @param tried offers that could not be had, by their keys
 * @param wishes null where only machines that are there by themselves will do
 */
public record Placement(
    String id,
    String project,
    String runId,
    int replica,
    State phase,
    List<String> members,
    List<String> tried,
    Instant since,
    @Nullable Wishes wishes)
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
    return new Placement(id, project, runId, replica, next, members, tried, since, wishes);
  }

  /** On to the next offer with another attempt, after one that could not be had. */
  public Placement next(String attempt, String offer) {
    List<String> more = new ArrayList<>(tried);
    more.add(offer);
    return new Placement(
        id, project, runId, replica, State.RESERVING, List.of(attempt), more, since, wishes);
  }
}
