package dev.berth.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A machine that shall be made, or a placement group for machines like it.
 *
 * @param name what people see at the provider
 * @param diskMib null for what the offer comes with
 * @param tags what users want to see there
 * @param placementGroup the one that it shall be in; null for none
 */
public record MachineRequest(
    Place place,
    String name,
    @Nullable Long diskMib,
    Map<String, String> tags,
    @Nullable Group placementGroup) {
  /** One that need not be near others. */
  public MachineRequest(
      Place place, String name, @Nullable Long diskMib, Map<String, String> tags) {
    this(place, name, diskMib, tags, null);
  }

  /**
   * A placement group that is there.
   *
   * @param key the one that it carries
   * @param ref what the provider calls it
   */
  public record Group(String key, Resource.Ref ref) {}

  public MachineRequest {
    tags = Collections.unmodifiableMap(new TreeMap<>(tags));
  }
}
