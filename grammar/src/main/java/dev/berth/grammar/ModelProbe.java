package dev.berth.grammar;

import dev.berth.model.config.HttpMethod;
import dev.berth.model.config.ProbeSpec;
import dev.berth.model.config.ServiceModel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The probe that a service with a language model gets when it has none of its own: one token of a
 * chat.
 */
final class ModelProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private ModelProbe() {}

  static @Nullable List<ProbeSpec> of(@Nullable ServiceModel model) {
    if (model == null || model.format() != ServiceModel.Format.OPENAI) {
      return List.of();
    }
    String prefix = model.prefix() == null ? "/v1" : model.prefix();
    String url =
        (prefix.startsWith("/") ? "" : "/")
            + withoutSlashesAtTheEnd(prefix).replace("$", "$$")
            + "/chat/completions";
    String body =
        "{\"model\":\""
            + escaped(model.name())
            + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"max_tokens\":1}";
    // A name that no probe can carry leaves the service without one, as any service may be.
    if (!Words.isProbeUrl(url) || body.length() > ServiceParts.MAX_PROBE_TEXT) {
      return List.of();
    }
    ProbeSpec.Header json = new ProbeSpec.Header("Content-Type", "application/json");
    return List.of(
        new ProbeSpec(
            "http",
            url,
            HttpMethod.POST,
            List.of(json),
            body,
            TIMEOUT,
            Duration.ofSeconds(15),
            1,
            false));
  }

  private static String withoutSlashesAtTheEnd(String prefix) {
    int end = prefix.length();
    while (end > 0 && prefix.charAt(end - 1) == '/') {
      end--;
    }
    return prefix.substring(0, end);
  }

  private static String escaped(String text) {
    StringBuilder json = new StringBuilder();
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        // The body of a probe may hold references; a name has none.
        case '$' -> json.append("$$");
        default -> {
          if (c < 0x20) {
            json.append(String.format("\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.toString();
  }
}
