package dev.berth.catalog.read;

import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import org.jspecify.annotations.Nullable;

/** One provider's offers in a file of a mirror. */
record MirrorSource(
    String name, CatalogFormat format, RemoteFile file, @Nullable String entry, ReadLimits limits)
    implements OfferSource {
  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    return file.read(
        (archive, version, collectedAt) ->
            archive
                .read(entry, (text, in) -> format.read(name, text, in, limits))
                .fetched(version, collectedAt));
  }
}
