package dev.berth.decisions;

import java.time.Instant;

/**
 * What is decided, as the loop sees it: {@link Decisions#RULES}, or what a test puts in its place
 * to see that a broken rule is found.
 */
public interface Rules {
  /** Decides about a message; the changes are in the draft. */
  Reply decide(Draft draft, Message message, Instant now);

  /** Gives places to those who wait; once after a batch of messages. */
  void schedule(Draft draft, OfferView offers, Instant now);
}
