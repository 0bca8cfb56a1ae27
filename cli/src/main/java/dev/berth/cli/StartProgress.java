package dev.berth.cli;

import dev.berth.model.api.JobProgressView;
import dev.berth.model.api.RunProgressView;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says how far the start of a run is, and what it does without. On a terminal the line is written
 * over; elsewhere there is a new one when more than a number in it changed, or now and then. Safe
 * for any thread: output of the run may come from another one.
 */
final class StartProgress {
  /** Elsewhere than on a terminal, a number that grows is worth a line so often. */
  static final Duration LINE_EVERY = Duration.ofSeconds(30);

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

  private final PrintWriter err;
  private final boolean terminal;
  private final InstantSource clock;
  private final Set<String> warned = new HashSet<>();
  private String last = "";
  private Instant lastAt = Instant.EPOCH;

  /** How long the line is that may be written over; 0 where there is none. */
  private int width;

  StartProgress(PrintWriter err, boolean terminal, InstantSource clock) {
    this.err = err;
    this.terminal = terminal;
    this.clock = clock;
  }

  static StartProgress of(PrintWriter err) {
    return new StartProgress(err, Keyboard.find() != null, InstantSource.system());
  }

  /** Says what is new; false where nothing is. */
  synchronized boolean show(RunProgressView progress) {
    boolean news = warn(progress.warnings());
    String words = words(progress.jobs());
    if (words.isEmpty() || words.equals(last)) {
      return news;
    }
    if (terminal) {
      err.print("\rberth: starting: " + words + " ".repeat(Math.max(0, width - words.length())));
      err.flush();
      width = words.length();
    } else if (isWorthALine(words)) {
      err.println("berth: starting: " + words);
      err.flush();
      lastAt = clock.instant();
    } else {
      return news;
    }
    last = words;
    return true;
  }

  private boolean isWorthALine(String words) {
    return !withoutNumbers(words).equals(withoutNumbers(last))
        || !clock.instant().isBefore(lastAt.plus(LINE_EVERY));
  }

  private static String withoutNumbers(String words) {
    return NUMBER.matcher(words).replaceAll("#");
  }

  /** How far the first one is of which that is known, for all. */
  private static String words(List<JobProgressView> jobs) {
    JobProgressView first =
        jobs.stream().filter(job -> job.progress() != null).findFirst().orElse(null);
    if (first == null) {
      return "";
    }
    return jobs.size() == 1
        ? String.valueOf(first.progress())
        : "node %d of %d that start: %s".formatted(first.node(), jobs.size(), first.progress());
  }

  /** Says what the run does without, each sentence once; false where nothing is new. */
  synchronized boolean warn(List<String> sentences) {
    boolean news = false;
    for (String sentence : sentences) {
      if (warned.add(sentence)) {
        leaveLine();
        err.println("berth: warning: " + sentence);
        err.flush();
        news = true;
      }
    }
    return news;
  }

  /** Begins a new line, for whatever is written next; false where there is nothing to leave. */
  synchronized boolean leaveLine() {
    if (width == 0) {
      return false;
    }
    err.println();
    err.flush();
    width = 0;
    return true;
  }
}
