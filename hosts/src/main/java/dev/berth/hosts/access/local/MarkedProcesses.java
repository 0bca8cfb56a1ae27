package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The processes of this machine that have a variable with a value nobody else has.
 *
 * @param entry the variable as {@code NAME=value}
 */
record MarkedProcesses(String entry) {
  /** Kills those that are there; true where none was. */
  boolean kill() {
    boolean none = true;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (isMarked(process)) {
          none = false;
          Optional<ProcessHandle> handle =
              ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
          handle.ifPresent(ProcessHandle::destroyForcibly);
        }
      }
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "/proc is not readable, so nothing can be ended", failure);
    }
    return none;
  }

  private boolean isMarked(Path process) {
    try {
      String environment =
          Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
      return ("\0" + environment).contains("\0" + entry + "\0");
    } catch (IOException gone) {
      // It has ended, or belongs to somebody else: no process of ours.
      return false;
    }
  }
}
