package dev.berth.hosts.jobdir;

import dev.berth.spi.JobRuntime;

/** One of the two streams of output that a job has. */
public enum OutputStreamName {
  STDOUT("stdout"),
  STDERR("stderr");

  private final String file;

  OutputStreamName(String file) {
    this.file = file;
  }

  /** The same in the words of the contract. */
  public static OutputStreamName of(JobRuntime.Stream stream) {
    return switch (stream) {
      case STDOUT -> STDOUT;
      case STDERR -> STDERR;
    };
  }

  public String file() {
    return file;
  }
}
