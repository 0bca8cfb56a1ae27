package dev.berth.testkit.fake;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that the provider refuses. Thrown by handlers, whose changes are then taken back; told to
 * the client in the vendor's own form, see {@link FakeApi#errors}.
 */
public final class FakeRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final @Nullable Duration retryAfter;

  /**
   * A refusal.
   *
   * @param status of HTTP
   * @param code the vendor's word for it
   */
  public FakeRefusal(int status, String code, String message) {
    this(status, code, message, null, null);
  }

  FakeRefusal(int status, String code, String message, Throwable cause) {
    this(status, code, message, null, cause);
  }

  private FakeRefusal(
      int status,
      String code,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("a refusal has a status from 400 to 599: " + status);
    }
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** There is no such thing, route or page. */
  public static FakeRefusal notFound(String message) {
    return new FakeRefusal(404, "not-found", message);
  }

  /** 429, with the header {@code Retry-After} in whole seconds, rounded up. */
  public static FakeRefusal tooMany(Duration retryAfter) {
    return new FakeRefusal(429, "too-many-requests", "too many requests", retryAfter, null);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** The message, which is never null. */
  public String sentence() {
    return String.valueOf(getMessage());
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
