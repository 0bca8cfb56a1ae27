package dev.berth.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a provider shows of a resource, at one moment.
 *
 * @param endpoint where it can be reached, if it has an address
 * @param interruptedAt when the provider will take it back, if it said so
 * @param detail what the provider says about it, in its own words
 * @param refusal why it was refused; null unless it was
 */
public record ResourceObservation(
    State state,
    @Nullable Endpoint endpoint,
    @Nullable Instant interruptedAt,
    String detail,
    @Nullable Refusal refusal) {
  public ResourceObservation {
    if ((state == State.REFUSED) != (refusal != null)) {
      throw new IllegalArgumentException("what is refused, and only that, has a refusal");
    }
  }

  /** What was not refused. */
  public ResourceObservation(
      State state, @Nullable Endpoint endpoint, @Nullable Instant interruptedAt, String detail) {
    this(state, endpoint, interruptedAt, detail, null);
  }

  /** The provider refused it after it had accepted the request. */
  public static ResourceObservation refused(Refusal refusal, String detail) {
    return new ResourceObservation(State.REFUSED, null, null, detail, refusal);
  }

  /** Nothing is there, and nothing will appear. */
  public static final ResourceObservation ABSENT =
      new ResourceObservation(State.ABSENT, null, null, "");

  /** How far it is. */
  public enum State {
    CREATING,
    READY,
    /** It was deleted, and is not gone. */
    LEAVING,
    /** It will never be ready. */
    FAILED,
    /** It is there and does not work for us. */
    OFF,
    /** It was refused after its request was accepted: nothing is there. */
    REFUSED,
    ABSENT
  }
}
