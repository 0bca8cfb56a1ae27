package dev.berth.control;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the lines of the log are about while something is done: a request, a call to a backend.
 * Whoever formats a line finds it here, so that no sentence has to repeat it. Never anything
 * secret.
 */
public final class LogScope {
  private static final ScopedValue<Map<String, String>> FIELDS = ScopedValue.newInstance();

  private LogScope() {}

  /** What the current thread does is about, by name. */
  public static Map<String, String> fields() {
    return FIELDS.orElse(Map.of());
  }

  /** Does something with these fields, besides those that are there. */
  public static void run(Map<String, String> fields, Runnable work) {
    ScopedValue.where(FIELDS, joined(fields)).run(work);
  }

  /** The same for what may fail. */
  public static <X extends Throwable> void call(Map<String, String> fields, Work<X> work) throws X {
    ScopedValue.where(FIELDS, joined(fields))
        .call(
            () -> {
              work.run();
              return Map.of();
            });
  }

  /** Something to do that may fail. */
  public interface Work<X extends Throwable> {
    void run() throws X;
  }

  private static Map<String, String> joined(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(fields());
    all.putAll(more);
    return Collections.unmodifiableMap(all);
  }
}
