package dev.berth.simulation;

import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Rules that tell when they throw: the loop sets such a message aside and goes on, but here it is
 * our mistake.
 */
record WatchedRules(Rules inner, Consumer<Violation> found) implements Rules {
  private static final String NAME = "no message is set aside";

  @Override
  public Reply decide(Draft draft, Message message, Instant now) {
    try {
      return inner.decide(draft, message, now);
    } catch (RuntimeException e) {
      found.accept(new Violation(NAME, message.getClass().getSimpleName() + ": " + e, e));
      throw e;
    }
  }

  @Override
  public void schedule(Draft draft, OfferView market, Instant now) {
    try {
      inner.schedule(draft, market, now);
    } catch (RuntimeException e) {
      found.accept(new Violation(NAME, "the pass over those who wait: " + e, e));
      throw e;
    }
  }
}
