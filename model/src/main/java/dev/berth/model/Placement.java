package dev.berth.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The search for a place for one replica, over all its tries: all its members get one, or none
 * does.
 *
 * @param members the attempts that wait for a place or have it, by rank
 * @param tried offers that could not be had, by their keys
 * @param since when the replica was asked for, which is its place in the line
 * @param wishes of each member by rank, or one for all; empty where only machines that are there by
 *     themselves will do
 * @param shape the same for all placements that ask for the same
 * @param trials how often in a row no place was found
 * @param notBefore when it is tried again; null where it is in line
 * @param windowSince from when on it is counted for how long it is tried again
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
    List<Wishes> wishes,
    int priority,
    String shape,
    int trials,
    @Nullable Instant notBefore,
    Instant windowSince)
    implements Entity {
  public Placement {
    members = List.copyOf(members);
    tried = List.copyOf(tried);
    wishes = List.copyOf(wishes);
  }

  /** One that nobody asked for, to see what it would find. */
  public static Placement imagined(
      String id, String project, int nodes, Wishes wishes, Instant now) {
    return new Placement(
        id,
        project,
        id,
        0,
        State.RESERVING,
        Collections.nCopies(nodes, id),
        List.of(),
        now,
        List.of(wishes),
        0,
        "",
        0,
        null,
        now);
  }

  /** How far the search is. */
  public enum State {
    /** Waiting for a place. */
    RESERVING,
    /** A place is reserved and the members are being made there. */
    CREATING,
    /** All members are there. */
    READY,
    /** The members that were made are taken back before the next try. */
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

  @Override
  public @Nullable Instant due() {
    return phase == State.RESERVING ? notBefore : null;
  }

  /** What the member of a rank asks for; empty where only machines that are there will do. */
  public Optional<Wishes> wishesOf(int rank) {
    return wishes.isEmpty()
        ? Optional.empty()
        : Optional.of(wishes.size() == 1 ? wishes.getFirst() : wishes.get(rank));
  }

  public Placement in(State next) {
    return with(next, members, tried, trials, notBefore, windowSince);
  }

  /** In line, with other members. */
  public Placement again(List<String> attempts) {
    return with(State.RESERVING, attempts, tried, trials, notBefore, windowSince);
  }

  /** Not to be tried with an offer any more. */
  public Placement without(String offer) {
    List<String> more = new ArrayList<>(tried);
    more.add(offer);
    return with(phase, members, more, trials, notBefore, windowSince);
  }

  /** Out of the line for a while, after which every offer is worth a try again. */
  public Placement waiting(Instant until) {
    return with(phase, members, List.of(), trials + 1, until, windowSince);
  }

  /** In line again. */
  public Placement inLine() {
    return with(phase, members, tried, trials, null, windowSince);
  }

  /** With a place that was had, so that from now on tries are counted anew. */
  public Placement had(Instant at) {
    return with(phase, members, tried, 0, null, at);
  }

  public Placement withPriority(int newPriority) {
    return new Placement(
        id,
        project,
        runId,
        replica,
        phase,
        members,
        tried,
        since,
        wishes,
        newPriority,
        shape,
        trials,
        notBefore,
        windowSince);
  }

  private Placement with(
      State newPhase,
      List<String> newMembers,
      List<String> newTried,
      int newTrials,
      @Nullable Instant newNotBefore,
      Instant newWindowSince) {
    return new Placement(
        id,
        project,
        runId,
        replica,
        newPhase,
        newMembers,
        newTried,
        since,
        wishes,
        priority,
        shape,
        newTrials,
        newNotBefore,
        newWindowSince);
  }
}
