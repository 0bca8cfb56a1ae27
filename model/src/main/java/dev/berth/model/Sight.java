package dev.berth.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a provider shows of a resource, at one moment.
 *
 * @param address where it can be reached, if it has an address
 * @param interruptedAt when the provider will take it back, if it said so
 * @param detail what the provider says about it, in its own words
 */
public record Sight(
    State state, @Nullable String address, @Nullable Instant interruptedAt, String detail) {
  /** Nothing is there. */
  public static final Sight ABSENT = new Sight(State.ABSENT, null, null, "");

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
    ABSENT
  }
}
