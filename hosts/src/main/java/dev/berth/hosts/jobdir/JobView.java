package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.FileFacts;
import dev.berth.hosts.access.FolderView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was seen of the state of a job in one look at its directory. What could not be seen fails
 * when it is asked for.
 */
final class JobView {
  private static final System.Logger LOGGER = System.getLogger(JobView.class.getName());

  private final JobDirectory directory;
  private final FolderView seen;

  /** From an answer of the machine. */
  JobView(JobDirectory directory, FolderView seen) {
    this.directory = directory;
    this.seen = seen;
  }

  JobDirectory directory() {
    return directory;
  }

  boolean exists() {
    return seen.exists();
  }

  Optional<String> text(String name) {
    return seen.text(directory.file(name));
  }

  Optional<Instant> modified(String name) {
    return facts(name).map(JobDirectory::usableTime);
  }

  private Optional<FileFacts> facts(String name) {
    return seen.facts(directory.file(name));
  }

  OutputSizes sizes() {
    return new OutputSizes(
        size(OutputStreamName.STDOUT.file()), size(OutputStreamName.STDERR.file()));
  }

  private long size(String name) {
    return facts(name).map(FileFacts::size).orElse(0L);
  }

  Optional<ExitRecord> exit() {
    return text("exit").flatMap(ExitRecord::parse);
  }

  /** What the job does without; nothing that is there instead of the file hides the job. */
  List<String> warnings() {
    try {
      return JobWarnings.of(text(JobWarnings.FILE));
    } catch (HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "The warnings of a job are not known", failure);
      return List.of();
    }
  }

  /** Whether the process that the claim names is alive on the machine. */
  boolean claimIsAlive() {
    return seen.claimIsAlive();
  }
}
