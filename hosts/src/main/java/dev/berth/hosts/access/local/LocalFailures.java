package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Says in the words of the contract what the operating system said. */
final class LocalFailures {
  private LocalFailures() {}

  static HostException of(String sentence, IOException failure) {
    return new HostException(code(failure), sentence, failure);
  }

  private static HostException.Code code(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return HostException.Code.ABSENT;
    }
    return failure instanceof AccessDeniedException
        ? HostException.Code.DENIED
        : HostException.Code.MACHINE;
  }
}
