package dev.berth.model;

import dev.berth.model.offers.OfferFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a replica may be placed.
 *
 * @param backends names or types of those that may be used; empty for all
 * @param filter what an offer must have
 * @param container what runs there; without secrets, which are put in when the call is made
 */
public record Wishes(List<String> backends, OfferFilter filter, @Nullable Container container) {
  public Wishes {
    backends = List.copyOf(backends);
  }

  /** Whether a backend may be used, by its name or its type. */
  public boolean allow(String name, String type) {
    return backends.isEmpty()
        || backends.stream().anyMatch(word -> word.equals(name) || word.equals(type));
  }
}
