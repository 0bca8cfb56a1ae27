package dev.berth.control.offers;

import dev.berth.catalog.index.Snapshot;
import dev.berth.spi.OfferSource;
import java.util.List;
import java.util.Optional;

/** Where the offers stand of backends whose offers are catalogued. */
public interface CatalogSource {
  /** No catalog. */
  CatalogSource NONE =
      new CatalogSource() {
        @Override
        public Optional<Snapshot> snapshot(String source) {
          return Optional.empty();
        }

        @Override
        public Optional<Snapshot> snapshot(String backend, String source) {
          return Optional.empty();
        }

        @Override
        public List<OfferSource> online() {
          return List.of();
        }
      };

  /**
   * The newest offers of a source. May fetch the catalog where there is none yet, and takes as long
   * as that.
   */
  Optional<Snapshot> snapshot(String source);

  /** The newest offers of a source that only the account of a backend sees. */
  Optional<Snapshot> snapshot(String backend, String source);

  /** Sources that need no account and are asked when their offers are needed. */
  List<OfferSource> online();
}
