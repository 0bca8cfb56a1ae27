package dev.berth.model.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A backend that shall be added, as its settings stand in a file. */
public record BackendRequest(String name, String type, Map<String, @Nullable Object> config) {}
