package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Tells where the processor time of a server went: by thread, by the topmost method, and by the
 * topmost method that is ours. Samples are taken by the JVM itself, also in native code.
 */
final class ServerProfile {
  private static final String RECORDING = "berth-bench";
  private static final String SAMPLE = "jdk.CPUTimeSample";
  private static final String OURS = "dev.berth.";
  private static final int LINES = 25;

  private final long pid;
  private final Path file;

  private ServerProfile(long pid, Path file) {
    this.pid = pid;
    this.file = file;
  }

  static ServerProfile start(long pid, Path folder) throws IOException, InterruptedException {
    JvmTool.ask(
        pid,
        "JFR.start",
        "name=" + RECORDING,
        "settings=none",
        // The plus adds a setting that the named settings do not have.
        "+jdk.CPUTimeSample#enabled=true",
        "+jdk.CPUTimeSample#throttle=5ms");
    return new ServerProfile(pid, folder.resolve("profile.jfr"));
  }

  /** Ends the recording and describes it, the largest shares first. */
  List<String> end() throws IOException, InterruptedException {
    JvmTool.ask(pid, "JFR.stop", "name=" + RECORDING, "filename=" + file);
    Map<String, Integer> threads = new HashMap<>();
    Map<String, Integer> methods = new HashMap<>();
    Map<String, Integer> ours = new HashMap<>();
    int samples = 0;
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals(SAMPLE)) {
          samples++;
          threads.merge(thread(event), 1, Integer::sum);
          methods.merge(frame(event, ""), 1, Integer::sum);
          ours.merge(frame(event, OURS), 1, Integer::sum);
        }
      }
    }
    Files.delete(file);
    if (samples == 0) {
      throw new IOException("the JVM of the server took no samples of processor time");
    }
    List<String> lines = new ArrayList<>();
    describe("threads", threads, samples, lines);
    describe("topmost methods", methods, samples, lines);
    describe("topmost methods of ours", ours, samples, lines);
    return lines;
  }

  /** Threads of one kind are one: those of requests and calls have numbers in their names. */
  private static String thread(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread == null) {
      return "of the JVM";
    }
    String name = thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
    return thread.isVirtual() || name == null || name.isEmpty()
        ? "virtual (requests and calls)"
        : name.replaceAll("[0-9a-f]{4,}|[0-9]+", "N");
  }

  private static String frame(RecordedEvent event, String prefix) {
    RecordedStackTrace stack = event.getStackTrace();
    if (stack == null) {
      return "unknown";
    }
    Optional<RecordedFrame> found =
        stack.getFrames().stream()
            .filter(RecordedFrame::isJavaFrame)
            .filter(frame -> frame.getMethod().getType().getName().startsWith(prefix))
            .findFirst();
    return found
        .map(frame -> frame.getMethod().getType().getName() + "." + frame.getMethod().getName())
        .orElse("none");
  }

  private static void describe(
      String title, Map<String, Integer> counts, int samples, List<String> lines) {
    lines.add(title + ", of " + samples + " samples of processor time:");
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(LINES)
        .forEach(
            entry ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%6.1f %%  %s",
                        100.0 * entry.getValue() / samples,
                        entry.getKey())));
  }
}
