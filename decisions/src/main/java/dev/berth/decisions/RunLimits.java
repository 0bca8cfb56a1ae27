package dev.berth.decisions;

/**
 * How many runs may be active at once, those that wait to start among them.
 *
 * @param perUser of one user, in all projects
 * @param perProject of one project, by all users
 */
public record RunLimits(int perUser, int perProject) {
  /** For whoever asks what would happen, and for tests. */
  public static final RunLimits NONE = new RunLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

  public RunLimits {
    if (perUser < 1 || perProject < 1) {
      throw new IllegalArgumentException("a limit is at least 1");
    }
  }
}
