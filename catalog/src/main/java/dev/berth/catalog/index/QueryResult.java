package dev.berth.catalog.index;

import dev.berth.catalog.CatalogOffer;
import java.util.List;

/**
 * The answer to a question.
 *
 * @param total how many offers match
 * @param offers the first of them, cheapest first
 */
public record QueryResult(long total, List<CatalogOffer> offers) {
  public QueryResult {
    offers = List.copyOf(offers);
  }
}
