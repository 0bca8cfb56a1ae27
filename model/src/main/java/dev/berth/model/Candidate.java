package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.util.List;

/**
 * An offer of a backend that is open, as it was when the provider was last asked.
 *
 * @param backend the backend's name
 * @param type the backend's type
 * @param zones where it can be had, the best first; empty where the provider chooses
 * @param privileged whether containers there may be privileged
 */
public record Candidate(
    String backend,
    String type,
    CatalogItem item,
    Availability availability,
    List<String> zones,
    boolean privileged) {
  public Candidate {
    zones = List.copyOf(zones);
  }
}
