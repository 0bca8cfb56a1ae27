package dev.berth.model.config;

/** The generation of an NVIDIA accelerator, such as 9.0. */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  public ComputeCapability {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(
          "a compute capability is not negative: " + major + "." + minor);
    }
  }

  @Override
  public int compareTo(ComputeCapability other) {
    return major != other.major
        ? Integer.compare(major, other.major)
        : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
