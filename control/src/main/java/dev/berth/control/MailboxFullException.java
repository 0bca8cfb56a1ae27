package dev.berth.control;

/** More messages wait than the server takes in; come back later. */
public final class MailboxFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MailboxFullException() {
    super("the server is overloaded; try again in a moment");
  }
}
