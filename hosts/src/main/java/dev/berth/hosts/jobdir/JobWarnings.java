package dev.berth.hosts.jobdir;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a job does without, from the file that its runner and we write. In a container the job may
 * write it too: no more is believed than a person would read, and nothing that is there instead of
 * the file keeps us from seeing the job, or the others.
 */
public final class JobWarnings {
  static final String FILE = "warnings";
  static final int MOST = 20;
  static final int LONGEST = 1_000;

  private JobWarnings() {}

  /** A sentence for each; empty also for a job that is not there. */
  public static List<String> of(JobDirectory directory) {
    return of(directory.text(FILE));
  }

  /** A sentence for each line of the file's text. */
  static List<String> of(Optional<String> text) {
    return text.orElse("")
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line)
        .distinct()
        .limit(MOST)
        .toList();
  }

  /** Adds a sentence, where it is not there. */
  public static void add(JobDirectory directory, String sentence) {
    List<String> lines = new ArrayList<>(of(directory));
    String line = sentence.replace('\n', ' ');
    if (!lines.contains(line)) {
      lines.add(line);
      directory.replace(FILE, JobStore.lines(lines));
    }
  }
}
