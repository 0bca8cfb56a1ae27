package dev.berth.simulation;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the servers' own logs silent: what goes wrong here goes wrong on purpose. */
public final class SilentLogs {
  /** Kept, because a logger that nobody holds is forgotten with its level. */
  private static final List<Logger> SILENT = List.of(Logger.getLogger("dev.berth.control"));

  private SilentLogs() {}

  public static void begin() {
    SILENT.forEach(logger -> logger.setLevel(Level.OFF));
  }
}
