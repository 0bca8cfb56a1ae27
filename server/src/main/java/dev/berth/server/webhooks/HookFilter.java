package dev.berth.server.webhooks;

import dev.berth.model.api.EventView;
import dev.berth.model.config.ServerConfiguration.Webhook;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which events a webhook is told of. */
final class HookFilter {
  /** What webhooks cause themselves would go round for ever. */
  private static final String OWN = "webhook.";

  private final @Nullable List<Pattern> kinds;
  private final @Nullable List<String> projects;

  HookFilter(Webhook hook) {
    List<String> events = hook.events();
    this.kinds = events == null ? null : events.stream().map(HookFilter::pattern).toList();
    this.projects = hook.projects();
  }

  private static Pattern pattern(String kind) {
    return Pattern.compile(
        Stream.of(kind.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }

  boolean matches(EventView event) {
    return !event.kind().startsWith(OWN)
        && (kinds == null || kinds.stream().anyMatch(kind -> kind.matcher(event.kind()).matches()))
        && (projects == null || projects.contains(event.project()));
  }
}
