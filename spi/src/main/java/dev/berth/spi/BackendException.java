package dev.berth.spi;

import dev.berth.spi.config.ConfigProblem;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a backend cannot do, with a sentence for the user. The family is closed, so that whoever
 * calls can decide for each member what follows. Anything else that a backend throws is taken for a
 * mistake of the backend: it counts as {@link Transient} and is logged with its trace.
 */
public abstract sealed class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private BackendException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Who has to do something about it. */
  public enum Kind {
    USER,
    CAPACITY,
    BACKEND
  }

  public abstract Kind kind();

  /** One word for logs, metrics and JSON. */
  public abstract String code();

  /** Whether the same call may work later. */
  public boolean isRetryable() {
    return false;
  }

  /** Whether what was asked for may have happened all the same, so that it must be looked for. */
  public boolean mayHaveHappened() {
    return false;
  }

  /** The offer is sold out at the moment. Nothing was made. Another offer may do. */
  public static final class NoCapacity extends BackendException {
    private static final long serialVersionUID = 1L;

    public NoCapacity(String message) {
      super(message, null);
    }

    @Override
    public Kind kind() {
      return Kind.CAPACITY;
    }

    @Override
    public String code() {
      return "no_capacity";
    }
  }

  /** The account may not have more of this. Nothing was made. */
  public static final class QuotaExceeded extends BackendException {
    private static final long serialVersionUID = 1L;

    public QuotaExceeded(String message) {
      super(message, null);
    }

    @Override
    public Kind kind() {
      return Kind.CAPACITY;
    }

    @Override
    public String code() {
      return "quota_exceeded";
    }
  }

  /** The configuration is wrong; every problem with the path of its field. */
  public static final class BadConfig extends BackendException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    public BadConfig(List<ConfigProblem> problems) {
      super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")), null);
      this.problems = List.copyOf(problems);
    }

    public BadConfig(String path, String message) {
      this(List.of(new ConfigProblem(path, message)));
    }

    public List<ConfigProblem> problems() {
      return problems;
    }

    @Override
    public Kind kind() {
      return Kind.USER;
    }

    @Override
    public String code() {
      return "bad_config";
    }
  }

  /** The provider does not accept the credentials, or they do not allow this. Nothing was made. */
  public static final class Unauthorised extends BackendException {
    private static final long serialVersionUID = 1L;

    public Unauthorised(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public Kind kind() {
      return Kind.USER;
    }

    @Override
    public String code() {
      return "unauthorised";
    }
  }

  /** We asked too often. Nothing was made. */
  public static final class RateLimited extends BackendException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /**
     * As the provider says it.
     *
     * @param delay how long to wait before the next call
     */
    public RateLimited(String message, Duration delay) {
      super(message, null);
      this.delay = delay;
    }

    public Duration delay() {
      return delay;
    }

    @Override
    public Kind kind() {
      return Kind.BACKEND;
    }

    @Override
    public String code() {
      return "rate_limited";
    }

    @Override
    public boolean isRetryable() {
      return true;
    }
  }

  /**
   * It may work later: no answer, or one that says no more than that it failed. What was asked for
   * may have happened.
   */
  public static final class Transient extends BackendException {
    private static final long serialVersionUID = 1L;

    public Transient(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public Kind kind() {
      return Kind.BACKEND;
    }

    @Override
    public String code() {
      return "transient";
    }

    @Override
    public boolean isRetryable() {
      return true;
    }

    @Override
    public boolean mayHaveHappened() {
      return true;
    }
  }

  /** It can never work as it is. Nothing was made. */
  public static sealed class Permanent extends BackendException {
    private static final long serialVersionUID = 1L;

    public Permanent(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public Kind kind() {
      return Kind.USER;
    }

    @Override
    public String code() {
      return "permanent";
    }
  }

  /**
   * What was asked for has a name that belongs to somebody else's resource. Nothing was made, and
   * that resource is never answered with. No key is used twice, so the next try has another name.
   */
  public static final class NameTaken extends Permanent {
    private static final long serialVersionUID = 1L;

    public NameTaken(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public String code() {
      return "name_taken";
    }
  }

  /** There is no such thing. Only for what reads or uses it: to delete it is silent. */
  public static final class Gone extends Permanent {
    private static final long serialVersionUID = 1L;

    public Gone(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public String code() {
      return "gone";
    }
  }

  /** The backend does not do this at all. */
  public static final class Unsupported extends Permanent {
    private static final long serialVersionUID = 1L;

    private final Trait trait;

    /** Says that a backend lacks a trait. */
    public Unsupported(Trait trait) {
      super("this backend has no " + trait.words(), null);
      this.trait = trait;
    }

    public Trait trait() {
      return trait;
    }

    @Override
    public String code() {
      return "unsupported";
    }
  }
}
