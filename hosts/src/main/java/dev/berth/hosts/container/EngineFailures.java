package dev.berth.hosts.container;

import dev.berth.hosts.HostFailures;
import dev.berth.hosts.docker.EngineException;
import dev.berth.spi.BackendException;
import java.util.function.Supplier;

/**
 * Says in the words of the contract what went wrong at an engine or on its machine, with their
 * sentence.
 */
public final class EngineFailures {
  private static final int UNAUTHORISED = 401;
  private static final int FORBIDDEN = 403;
  private static final int SERVER_ERROR = 500;

  private EngineFailures() {}

  public static <T> T translated(Supplier<T> call) {
    try {
      return HostFailures.translated(call);
    } catch (EngineException failure) {
      throw translate(failure);
    }
  }

  public static void translated(Runnable call) {
    translated(
        () -> {
          call.run();
          return true;
        });
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
