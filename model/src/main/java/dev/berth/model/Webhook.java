package dev.berth.model;

import java.time.Instant;

/**
 * How far a webhook is: whoever sends its events after a restart goes on from there.
 *
 * @param seq the number of the newest event that was sent, was not for it, or was given up
 * @param skipped how many events were given up
 * @param since when it was first seen
 */
public record Webhook(String name, long seq, long skipped, Instant since) implements Entity {
  @Override
  public Kind kind() {
    return Kind.WEBHOOK;
  }

  @Override
  public String id() {
    return name;
  }

  @Override
  public String project() {
    return "";
  }

  @Override
  public String state() {
    return "following";
  }

  @Override
  public boolean active() {
    return true;
  }

  /** Further, with so many more events given up. */
  public Webhook at(long newSeq, long more) {
    return new Webhook(name, Math.max(seq, newSeq), skipped + more, since);
  }
}
