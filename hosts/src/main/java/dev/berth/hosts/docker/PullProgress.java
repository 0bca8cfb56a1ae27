package dev.berth.hosts.docker;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How far the pull of an image is, from the lines that an engine sends. Docker tells the bytes of
 * each layer; Podman only that it works. Used by one thread; {@link #words} may be asked by any.
 */
public final class PullProgress {
  private final String image;
  private final Map<String, long[]> layers = new LinkedHashMap<>();

  /** What to say now. Written by whoever reads the lines. */
  private volatile String words;

  private @Nullable String failure;

  public PullProgress(String image) {
    this.image = image;
    this.words = "pulling " + image;
  }

  /** Takes note of a line. */
  public void line(String line) {
    if (line.isBlank()) {
      return;
    }
    JsonNode node = EngineJson.parse(line);
    String error = node.path("error").asString("");
    if (!error.isEmpty()) {
      String detail = node.path("errorDetail").path("message").asString("");
      failure = detail.isEmpty() ? error : detail;
      return;
    }
    String layer = node.path("id").asString("");
    String status = node.path("status").asString("");
    JsonNode detail = node.path("progressDetail");
    if (!layer.isEmpty() && status.equals("Downloading") && detail.has("total")) {
      layers.put(
          layer, new long[] {detail.path("current").asLong(0), detail.path("total").asLong(0)});
    } else if (status.equals("Download complete") || status.equals("Pull complete")) {
      long[] sizes = layers.get(layer);
      if (sizes != null) {
        sizes[0] = sizes[1];
      }
    }
    words = describe();
  }

  private String describe() {
    long current = 0;
    long total = 0;
    for (long[] sizes : layers.values()) {
      current += Math.min(sizes[0], sizes[1]);
      total += sizes[1];
    }
    if (total == 0) {
      return "pulling " + image;
    }
    return String.format(
        Locale.ROOT,
        "pulling %s: %d%% of %.1f MB",
        image,
        current * 100 / total,
        total / 1_000_000.0);
  }

  /** One line for a person. */
  public String words() {
    return words;
  }

  /** Why the engine gave up, in its words; empty where it did not. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }
}
