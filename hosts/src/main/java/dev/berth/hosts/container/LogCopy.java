package dev.berth.hosts.container;

import dev.berth.hosts.docker.LogFrames;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.OutputStreamName;
import java.io.IOException;
import java.util.Optional;

/**
 * Appends an engine's log to the output files of a job. The log is read from its beginning each
 * time, which is why such containers are made with one that is kept whole; what the files have
 * already is passed over, so that a copy may be cut off anywhere.
 */
final class LogCopy {
  private final JobDirectory directory;

  LogCopy(JobDirectory directory) {
    this.directory = directory;
  }

  /** Copies until the log ends. */
  void copy(LogFrames frames) throws IOException {
    long[] known = {
      directory.size(OutputStreamName.STDOUT.file()), directory.size(OutputStreamName.STDERR.file())
    };
    for (Optional<LogFrames.Frame> next = frames.next(); next.isPresent(); next = frames.next()) {
      byte[] bytes = next.get().bytes();
      int stream = next.get().errors() ? 1 : 0;
      int passed = (int) Math.min(known[stream], bytes.length);
      known[stream] -= passed;
      if (passed < bytes.length) {
        append(next.get().errors(), bytes, passed);
      }
    }
  }

  private void append(boolean errors, byte[] bytes, int from) {
    OutputStreamName name = errors ? OutputStreamName.STDERR : OutputStreamName.STDOUT;
    directory.append(name, bytes, from, bytes.length - from);
  }
}
