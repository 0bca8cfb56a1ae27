package dev.berth.decisions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that a decision made happen, for people and followers.
 *
 * @param entityKind the word for what it is about, which need not be a noun of the ledger
 */
public record Event(
    String kind,
    String entityKind,
    String entityId,
    String project,
    String actor,
    Map<String, Object> data) {
  public static final String SERVER = "server";

  public Event {
    data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }
}
