package dev.berth.hosts;

/** One of the two streams of output that a job has. */
public enum OutputStreamName {
  STDOUT("stdout"),
  STDERR("stderr");

  private final String file;

  OutputStreamName(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }
}
