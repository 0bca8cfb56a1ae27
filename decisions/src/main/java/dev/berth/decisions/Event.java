package dev.berth.decisions;

import dev.berth.model.Entity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Something that a decision made happen, for people and followers. */
public record Event(
    String kind,
    Entity.Kind entityKind,
    String entityId,
    String project,
    String actor,
    Map<String, Object> data) {
  public static final String SERVER = "server";

  public Event {
    data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }
}
