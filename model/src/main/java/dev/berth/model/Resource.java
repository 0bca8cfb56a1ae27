package dev.berth.model;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Something that we own at a provider, from the intent to have it until it is known to be gone. */
public record Resource(
    String id,
    String project,
    String attemptId,
    String backend,
    Type type,
    State phase,
    @Nullable String ref,
    @Nullable String actionId,
    @Nullable Instant due)
    implements Entity {
  /** What kind of thing it is. */
  public enum Type {
    /** A job that an engine or the machine itself runs. */
    JOB,
    INSTANCE,
    /** Several jobs or machines that are made and deleted as one. */
    GROUP,
    VOLUME,
    /** A machine's own disk that outlives it. */
    DISK,
    /** An address on the internet. */
    ADDRESS,
    /** A key that lets us in. */
    KEY,
    PLACEMENT_GROUP,
    GATEWAY,
    LOAD_BALANCER;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
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
  public String parent() {
    return attemptId;
  }

  /** In the next phase, with the one action that is under way for it, or none. */
  public Resource in(State next, @Nullable String action) {
    return new Resource(id, project, attemptId, backend, type, next, ref, action, null);
  }

  /** The same, to be looked at again at a time. */
  public Resource dueAt(Instant time) {
    return new Resource(id, project, attemptId, backend, type, phase, ref, actionId, time);
  }
}
