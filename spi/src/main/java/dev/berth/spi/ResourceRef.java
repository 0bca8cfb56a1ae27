package dev.berth.spi;

import dev.berth.model.AttachedVolume;
import dev.berth.model.ResourceType;
import java.util.Map;

/**
 * What names a resource to its provider.
 *
 * @param key ours, which was chosen before it was made
 * @param id the provider's
 * @param data what the backend wants to have handed back with every call
 */
public record ResourceRef(
    ResourceType type, String key, String id, String region, Map<String, String> data) {
  public ResourceRef {
    data = Map.copyOf(data);
  }

  /** What names a volume of a job. */
  public static ResourceRef of(AttachedVolume volume) {
    return new ResourceRef(
        ResourceType.VOLUME, volume.key(), volume.id(), volume.region(), volume.data());
  }
}
