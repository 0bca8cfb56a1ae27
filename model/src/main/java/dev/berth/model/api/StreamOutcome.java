package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * How a stream to a job has ended.
 *
 * @param exitCode of the command, 128+n for signal n; null where it is not known, and of ports
 * @param error a sentence that says what went wrong; null where nothing did
 */
public record StreamOutcome(@Nullable Integer exitCode, @Nullable String error) {
  public static StreamOutcome exited(int code) {
    return new StreamOutcome(code, null);
  }

  public static StreamOutcome failed(String sentence) {
    return new StreamOutcome(null, sentence);
  }
}
