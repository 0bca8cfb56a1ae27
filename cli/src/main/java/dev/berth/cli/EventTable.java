package dev.berth.cli;

import dev.berth.model.api.EventView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows events to a person, page by page. What is long is cut; JSON has all of it. */
final class EventTable {
  private static final int LONGEST_VALUE = 120;
  private static final int LONGEST_DETAILS = 400;
  private static final int SHORT_ID = 8;
  private static final Set<String> NAMES = Set.of("name", "run", "traceparent");

  private final PrintWriter out;

  /** What events said of names, by id: not every event says one. */
  private final Map<String, String> names = new HashMap<>();

  private @Nullable Table last;

  EventTable(PrintWriter out) {
    this.out = out;
  }

  void print(List<EventView> events) {
    if (!events.isEmpty()) {
      last = table(events);
      last.print(out);
    }
  }

  Table table(List<EventView> events) {
    Table table = new Table("SEQ", "TIME", "EVENT", "NAME", "BY", "").cut("NAME", "BY", "EVENT");
    if (last != null) {
      table.after(last);
    }
    for (EventView event : events) {
      table.row(
          String.valueOf(event.seq()),
          Ago.time(event.at()),
          event.kind(),
          name(event),
          event.actor(),
          details(event.data()));
    }
    return table;
  }

  /** The name of what an event is about, or the beginning of its id. */
  private String name(EventView event) {
    String said = said(event.data());
    if (said != null) {
      names.put(event.entityId(), said);
    }
    String id = event.entityId();
    return names.getOrDefault(id, isUuid(id) ? id.substring(0, SHORT_ID) : id);
  }

  private static boolean isUuid(String id) {
    return id.matches("[0-9a-f]{8}-[0-9a-f-]{27}");
  }

  private static @Nullable String said(Map<?, ?> data) {
    for (String key : List.of("name", "run")) {
      if (data.get(key) instanceof String name) {
        return name;
      }
    }
    for (String key : List.of("after", "before")) {
      if (data.get(key) instanceof Map<?, ?> facts && facts.get("name") instanceof String name) {
        return name;
      }
    }
    return null;
  }

  private static String details(Map<String, Object> data) {
    List<String> parts = new ArrayList<>();
    data.forEach(
        (key, value) -> {
          if (!NAMES.contains(key)) {
            parts.add(key + "=" + cut(text(value), LONGEST_VALUE));
          }
        });
    return cut(String.join(" ", parts), LONGEST_DETAILS);
  }

  private static String text(@Nullable Object value) {
    return value instanceof Map<?, ?> || value instanceof List<?>
        ? Json.line(value)
        : String.valueOf(value);
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
