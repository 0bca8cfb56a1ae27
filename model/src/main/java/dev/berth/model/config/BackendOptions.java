package dev.berth.model.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings that only one type of backend understands; that backend's schema judges them. */
public record BackendOptions(String type, Map<String, Object> options) {
  public BackendOptions {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }
}
