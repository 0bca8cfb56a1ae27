package dev.berth.simulation;

import dev.berth.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened, a line each. Keeps the last ones, and a hash over all. */
final class Trace {
  private static final int KEPT = 60;

  private final Deque<String> last = new ArrayDeque<>();
  private final MessageDigest digest = Sha256.begin();

  void add(long step, Duration time, String what) {
    String line = "%5d %12s  %s".formatted(step, time, what);
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    if (last.size() == KEPT) {
      last.removeFirst();
    }
    last.addLast(line);
  }

  List<String> last() {
    return List.copyOf(last);
  }

  /** Two lives with the same hash went the same way. Asked once, at the end. */
  String hash() {
    return Sha256.end(digest);
  }
}
