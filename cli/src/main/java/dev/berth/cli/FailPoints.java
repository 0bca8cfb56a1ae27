package dev.berth.cli;

import dev.berth.control.FailPoint;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ends the server as by a power cut at a chosen moment, for crash tests: {@code
 * BERTH_FAIL_AT=after-commit:17}.
 */
final class FailPoints implements FailPoint.Observer {
  private final FailPoint point;
  private final AtomicInteger left;

  private FailPoints(FailPoint point, int count) {
    this.point = point;
    this.left = new AtomicInteger(count);
  }

  static FailPoint.Observer fromEnvironment(@Nullable String setting) {
    if (setting == null || setting.isBlank()) {
      return FailPoint.Observer.NONE;
    }
    String[] parts = setting.split(":", -1);
    for (FailPoint candidate : FailPoint.values()) {
      if (parts.length == 2 && candidate.word().equals(parts[0])) {
        return new FailPoints(candidate, Integer.parseInt(parts[1]));
      }
    }
    throw new CommandFailure(ExitCode.USAGE, "BERTH_FAIL_AT names no moment: " + setting);
  }

  @Override
  public void reached(FailPoint reached) {
    if (reached == point && left.decrementAndGet() == 0) {
      die();
    }
  }

  /** SIGKILL, so that nothing of ours runs any more. */
  private static void die() {
    try {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid()))
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      Runtime.getRuntime().halt(137);
    }
  }
}
