package dev.berth.server.oidc;

/**
 * Somebody who is not let in. The message is for the server's log: whoever tries does not learn
 * what exactly was wrong.
 */
public final class LoginRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** What kind of refusal it is. */
  public enum Reason {
    /** The token proves nothing. */
    TOKEN,
    /** The token proves who it is, and that one may not. */
    PERSON
  }

  LoginRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  static LoginRefusedException token(String message) {
    return new LoginRefusedException(Reason.TOKEN, message);
  }

  static LoginRefusedException person(String message) {
    return new LoginRefusedException(Reason.PERSON, message);
  }

  public Reason reason() {
    return reason;
  }
}
