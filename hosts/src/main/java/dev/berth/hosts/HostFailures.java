package dev.berth.hosts;

import dev.berth.hosts.docker.EngineException;
import dev.berth.spi.BackendException;
import java.nio.file.InvalidPathException;
import java.util.Objects;
import java.util.function.Supplier;

/** Says in the words of the contract what went wrong on the host, with the host's sentence. */
public final class HostFailures {
  private static final int UNAUTHORISED = 401;
  private static final int FORBIDDEN = 403;
  private static final int SERVER_ERROR = 500;

  private HostFailures() {}

  public static <T> T translated(Supplier<T> call) {
    try {
      return call.get();
    } catch (HostException failure) {
      throw translate(failure);
    } catch (EngineException failure) {
      throw translate(failure);
    } catch (InvalidPathException unusable) {
      throw new BackendException.Permanent(
          "the path '%s' cannot exist on this machine".formatted(unusable.getInput()), unusable);
    }
  }

  public static void translated(Runnable call) {
    translated(
        () -> {
          call.run();
          return true;
        });
  }

  public static BackendException translate(HostException failure) {
    String sentence = Objects.requireNonNullElse(failure.getMessage(), "the host failed");
    return switch (failure.code()) {
      case INVALID, MISSING_TOOL, INPUT -> new BackendException.Permanent(sentence, failure);
      case ABSENT -> new BackendException.Gone(sentence, failure);
      case MACHINE, NOT_KILLED -> new BackendException.Transient(sentence, failure);
    };
  }

  /** An engine that fails may work later; one that refuses does so again. */
  public static BackendException translate(EngineException failure) {
    if (failure.status() == UNAUTHORISED || failure.status() == FORBIDDEN) {
      return new BackendException.Unauthorised(failure.words(), failure);
    }
    if (failure.isSilence() || failure.isConflict() || failure.status() >= SERVER_ERROR) {
      return new BackendException.Transient(failure.words(), failure);
    }
    return failure.isAbsent()
        ? new BackendException.Gone(failure.words(), failure)
        : new BackendException.Permanent(failure.words(), failure);
  }
}
