package dev.berth.spi;

import java.time.Duration;

/**
 * How a provider lets us know again what we asked it to make. Decides what is safe after a call
 * whose outcome is not clear.
 */
public sealed interface Identity {
  /**
   * The provider takes our key as the token of the request: asked twice, it makes one and answers
   * with the same.
   */
  record Token() implements Identity {}

  /**
   * Our key is the name, and the provider refuses a second one of that name: {@link
   * Provisioner#create} then answers with the one that is there.
   */
  record UniqueName() implements Identity {}

  /**
   * The key is only a mark that can be looked for, so asking twice makes two. Nothing is asked
   * again before the call's deadline and this delay have passed and two looks were empty; of
   * several that are found, one is kept.
   *
   * @param visibleWithin how long after it was made a thing may be missing from lists
   * @param callDeadline how long after it was sent a request may still take effect
   */
  record Lookup(Duration visibleWithin, Duration callDeadline) implements Identity {}
}
