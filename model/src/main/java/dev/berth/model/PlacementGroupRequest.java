package dev.berth.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A placement group that shall be made.
 *
 * @param place of the machines that it is for
 */
public record PlacementGroupRequest(Place place, String name, Map<String, String> tags, Long seq)
    implements ResourceRequest {
  public PlacementGroupRequest {
    tags = Collections.unmodifiableMap(new TreeMap<>(tags));
  }

  @Override
  public ResourceType type() {
    return ResourceType.PLACEMENT_GROUP;
  }
}
