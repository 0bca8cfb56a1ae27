package dev.berth.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the kit sees and does at the provider itself, past the backend under test. A fake cloud
 * gives it, see {@link dev.berth.testkit.fake.FakeProvider#side}. Without it, the kit has to
 * believe what the backend lists, and a backend that lists too little leaves behind what nobody
 * sees.
 */
public interface ProviderSide {
  /** What {@code Retry-After} says in the answers of {@link Failure#TOO_MANY}. */
  Duration RETRY_AFTER = Duration.ofSeconds(7);

  /**
   * Something that costs money.
   *
   * @param kind the provider's word for it
   */
  record Existing(String kind, String id) {
    @Override
    public String toString() {
      return kind + " " + id;
    }
  }

  /** Everything that exists there now and costs money, whoever made it. */
  List<Existing> existing();

  /** How many of each kind were ever made there. */
  Map<String, Long> everMade();

  /** How many things of one kind are shown by one call; empty where all of them are. */
  default OptionalInt pageSize() {
    return OptionalInt.empty();
  }

  /** How calls are made to fail; empty where they cannot be. */
  default Optional<Faults> faults() {
    return Optional.empty();
  }

  /** Makes single calls fail. */
  @FunctionalInterface
  interface Faults {
    /**
     * The call with a number fails, counted from now and from 1 on.
     *
     * @param calls which ones are counted
     */
    Injected at(Calls calls, int number, Failure failure);
  }

  /** Kinds of calls. */
  enum Calls {
    READS,
    WRITES
  }

  /** How a call fails. */
  enum Failure {
    /** Nothing happens, and the connection is closed. */
    LOST_BEFORE,
    /** What was asked for happens, and the connection is closed. */
    LOST_AFTER,
    /** Nothing happens, and the answer is 503. */
    UNAVAILABLE,
    /** Nothing happens, and the answer is 429 with {@link #RETRY_AFTER}. */
    TOO_MANY
  }

  /** A failure that is set up until it is closed. */
  interface Injected extends AutoCloseable {
    /** Whether a call has met it. */
    boolean hasHappened();

    @Override
    void close();
  }
}
