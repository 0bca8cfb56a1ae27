package dev.berth.model.api;

import java.time.Instant;
import java.util.Map;

/** Something that happened. */
public record EventView(
    long seq,
    Instant at,
    String kind,
    String entityKind,
    String entityId,
    String project,
    String actor,
    Map<String, Object> data) {}
