package dev.berth.model;

import java.util.Map;

/**
 * A network volume that a job finds in a folder of its container.
 *
 * @param key the one that the volume carries at the provider
 * @param id the provider's
 * @param data what the backend wants to have handed back with the id
 * @param path where the job finds it, absolute
 */
public record AttachedVolume(
    String key, String id, String region, Map<String, String> data, String path) {
  public AttachedVolume {
    data = Map.copyOf(data);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a volume is mounted at an absolute path, not " + path);
    }
  }
}
