package dev.berth.model.config;

import java.time.Duration;
import java.util.List;

/** When and for how long a run is tried again. */
public record RetryPolicy(List<RetryEvent> onEvents, Duration duration) {
  public static final Duration DEFAULT_DURATION = Duration.ofHours(1);
  public static final RetryPolicy OFF = new RetryPolicy(List.of(), Duration.ZERO);

  public RetryPolicy {
    onEvents = List.copyOf(onEvents);
  }

  public static RetryPolicy always() {
    return new RetryPolicy(List.of(RetryEvent.values()), DEFAULT_DURATION);
  }

  public boolean isOff() {
    return onEvents.isEmpty();
  }
}
