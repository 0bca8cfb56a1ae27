package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an online source says now, or said last.
 *
 * @param content null where the source never answered
 * @param age since the answer was asked for; zero where there is none
 * @param warning a sentence where this is not a fresh answer
 * @param cause of the warning, where an exception is
 */
public record OnlineAnswer(
    String source,
    @Nullable SnapshotContent content,
    Duration age,
    @Nullable String warning,
    @Nullable Throwable cause) {
  public OnlineAnswer {
    if (content == null && warning == null) {
      throw new IllegalArgumentException("a source without an answer has a warning");
    }
  }
}
