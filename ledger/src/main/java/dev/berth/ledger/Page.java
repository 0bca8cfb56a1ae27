package dev.berth.ledger;

import java.util.List;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param next the cursor of the following page; empty when this was the last one
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
  }
}
