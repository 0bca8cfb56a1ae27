package dev.berth.hosts.jobdir;

/** How many bytes a job has written so far. */
public record OutputSizes(long stdout, long stderr) {
  public static final OutputSizes NONE = new OutputSizes(0, 0);

  public OutputSizes {
    if (stdout < 0 || stderr < 0) {
      throw new IllegalArgumentException("sizes are not negative");
    }
  }
}
