package dev.berth.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A machine that shall be made.
 *
 * @param name what people see at the provider
 * @param diskMib null for what the offer comes with
 * @param tags what users want to see there
 */
public record MachineRequest(
    Place place, String name, @Nullable Long diskMib, Map<String, String> tags) {
  public MachineRequest {
    tags = Collections.unmodifiableMap(new TreeMap<>(tags));
  }
}
