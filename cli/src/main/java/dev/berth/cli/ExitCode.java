package dev.berth.cli;

/**
 * What the command's exit code tells a script. An attached run ends with the job's own code
 * instead.
 */
final class ExitCode {
  static final int OK = 0;

  /** Something failed that no other code names. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 64;

  /** A file is wrong. */
  static final int INVALID_FILE = 65;

  /** No server answers. */
  static final int NO_SERVER = 69;

  /** The server will not do it. */
  static final int REFUSED = 77;

  private ExitCode() {}
}
