package dev.berth.hosts;

import dev.berth.spi.BackendException;
import java.util.Objects;
import java.util.function.Supplier;

/** Says in the words of the contract what went wrong on the host, with the host's sentence. */
public final class HostFailures {
  private HostFailures() {}

  public static <T> T translated(Supplier<T> call) {
    try {
      return call.get();
    } catch (HostException failure) {
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

  public static BackendException translate(HostException failure) {
    String sentence = Objects.requireNonNullElse(failure.getMessage(), "the host failed");
    return switch (failure.code()) {
      case INVALID, MISSING_TOOL, INPUT -> new BackendException.Permanent(sentence, failure);
      case ABSENT -> new BackendException.Gone(sentence, failure);
      case MACHINE, DENIED, NOT_KILLED -> new BackendException.Transient(sentence, failure);
    };
  }
}
