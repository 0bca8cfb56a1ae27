package dev.berth.server.oidc;

/** The identity provider does not answer, or not as it should; later it may. */
public final class IssuerUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IssuerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  IssuerUnavailableException(String message) {
    super(message);
  }
}
