package dev.berth.model;

import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Something that we own at a provider, from the intent to have it until it is known to be gone.
 *
 * @param id the key that it carries there, never used for another one
 * @param ownerId the attempt, the machine or the fleet that it is for; empty for what nobody knows
 * @param ref null before the provider named it
 * @param actionId the one action that is under way for it
 * @param looks how often it was looked for: in doubt without finding it, or as a stranger that is
 *     still there
 * @param repeats how often something had to be asked once more under a new action
 * @param since from when on it is in doubt; of a job that is leaving, when its start was given up
 *     though it may still come to light; of what is no job and was made, by when that was
 * @param machineId the machine on which Berth itself runs a job; null where the backend runs it
 */
public record Resource(
    String id,
    String project,
    String ownerId,
    String backend,
    ResourceType type,
    State phase,
    @Nullable Ref ref,
    @Nullable String actionId,
    @Nullable Instant due,
    int looks,
    int repeats,
    @Nullable Instant since,
    @Nullable String machineId)
    implements Entity {
  /** One that nobody has looked for. */
  public Resource(
      String id,
      String project,
      String ownerId,
      String backend,
      ResourceType type,
      State phase,
      @Nullable Ref ref,
      @Nullable String actionId,
      @Nullable Instant due) {
    this(id, project, ownerId, backend, type, phase, ref, actionId, due, 0, 0, null, null);
  }

  /** One that the backend itself runs, or that is no job. */
  public Resource(
      String id,
      String project,
      String ownerId,
      String backend,
      ResourceType type,
      State phase,
      @Nullable Ref ref,
      @Nullable String actionId,
      @Nullable Instant due,
      int looks,
      int repeats,
      @Nullable Instant since) {
    this(
        id, project, ownerId, backend, type, phase, ref, actionId, due, looks, repeats, since,
        null);
  }

  /** The same, a job that Berth itself runs on a machine. */
  public Resource on(String machine) {
    return new Resource(
        id, project, ownerId, backend, type, phase, ref, actionId, due, looks, repeats, since,
        machine);
  }

  /**
   * What names it to its provider, besides our key.
   *
   * @param id the provider's
   * @param data what the backend wants to have handed back with every call
   */
  public record Ref(String id, String region, Map<String, String> data) {
    public Ref {
      data = Collections.unmodifiableMap(new TreeMap<>(data));
    }
  }

  /** How much of it is there. */
  public enum State {
    INTENDED,
    ASKED,
    PRESENT,
    LEAVING,
    IN_DOUBT,
    GONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Kind kind() {
    return Kind.RESOURCE;
  }

  @Override
  public String state() {
    return phase.word();
  }

  @Override
  public boolean active() {
    return phase != State.GONE;
  }

  @Override
  public @Nullable String parent() {
    return ownerId.isEmpty() ? null : ownerId;
  }

  /** In the next phase, with the one action that is under way for it, or none. */
  public Resource in(State next, @Nullable String action) {
    boolean stays = next == phase;
    return new Resource(
        id,
        project,
        ownerId,
        backend,
        type,
        next,
        ref,
        action,
        null,
        stays ? looks : 0,
        repeats,
        stays ? since : null,
        machineId);
  }

  /** The same, to be looked at again at a time. */
  public Resource dueAt(Instant time) {
    return new Resource(
        id, project, ownerId, backend, type, phase, ref, actionId, time, looks, repeats, since,
        machineId);
  }

  /** As the provider names it. */
  public Resource named(Ref newRef) {
    return new Resource(
        id, project, ownerId, backend, type, phase, newRef, actionId, due, looks, repeats, since,
        machineId);
  }

  /** Looked for once more. */
  public Resource looked() {
    return new Resource(
        id, project, ownerId, backend, type, phase, ref, actionId, due, looks + 1, repeats, since,
        machineId);
  }

  /** About to be asked for the same once more. */
  public Resource repeated() {
    return new Resource(
        id,
        project,
        ownerId,
        backend,
        type,
        phase,
        ref,
        actionId,
        due,
        looks,
        repeats + 1,
        since,
        machineId);
  }

  /** The id of the next action on it; one that is over is never begun again. */
  public String actionId(String word) {
    return id + "-" + word + (repeats == 0 ? "" : "-" + repeats);
  }

  /** Given up, though it may still come to light. */
  public Resource unclearSince(Instant at) {
    return new Resource(
        id, project, ownerId, backend, type, phase, ref, actionId, due, looks, repeats, at,
        machineId);
  }

  /** Made by then at the latest, so that the provider shows it some time after that. */
  public Resource madeBy(@Nullable Instant at) {
    return new Resource(
        id, project, ownerId, backend, type, phase, ref, actionId, due, looks, repeats, at,
        machineId);
  }

  /** Not known to be there or not, from now on. */
  public Resource inDoubt(@Nullable String action, Instant at) {
    return new Resource(
        id,
        project,
        ownerId,
        backend,
        type,
        State.IN_DOUBT,
        ref,
        action,
        null,
        0,
        repeats + 1,
        at,
        machineId);
  }
}
