package dev.berth.model.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that tells whether a replica is ready. */
public record ProbeSpec(
    String type,
    @Nullable String url,
    @Nullable HttpMethod method,
    List<Header> headers,
    @Nullable String body,
    @Nullable Duration timeout,
    @Nullable Duration interval,
    @Nullable Integer readyAfter,
    @Nullable Boolean untilReady) {
  public ProbeSpec {
    headers = List.copyOf(headers);
  }

  public record Header(String name, String value) {}
}
