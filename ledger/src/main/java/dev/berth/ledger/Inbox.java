package dev.berth.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What servers that stand by pass on to the one that is active, and its answers.
 *
 * <p>A request is handed out until it is answered, so it may be carried out more than once: whoever
 * does must tell by its id, or by a key of its own, that it was done before. The age of a request
 * is told by the database's clock.
 */
public interface Inbox {
  /**
   * Puts a request in. Atomic; after a failure it may be there or not.
   *
   * @param id different from that of any other request
   */
  void ask(String realm, String id, String request);

  /**
   * Waits for an answer. Empty where none came in time; an interrupt ends the wait, too, and stays.
   */
  Optional<String> awaitAnswer(String realm, String id, Duration timeout);

  /** Takes a request out with its answer; nothing happens where it is not there. */
  void forget(String realm, String id);

  /**
   * The ids of requests without an answer that are at most so old, the oldest first. Their texts
   * can be large, so they are asked for one by one.
   */
  List<String> unanswered(String realm, Duration oldest, int atMost);

  /** The text of a request; empty where nobody waits any more. */
  Optional<String> findRequest(String realm, String id);

  /**
   * Waits until something may have been asked since the last wait, at most so long. An interrupt
   * ends the wait, too, and stays.
   */
  void awaitAsked(Duration timeout);

  /**
   * Answers a request, for the server that is active only. Nothing happens where it was answered
   * before or nobody waits any more.
   *
   * @throws FencedException where another server has taken over
   */
  void answer(Tenure tenure, String id, String answer);

  /** Takes out what is older; returns how many there were. */
  int clear(Tenure tenure, Duration olderThan);
}
