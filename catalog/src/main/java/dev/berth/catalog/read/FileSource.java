package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One provider's offers in a file on this machine. */
record FileSource(
    String name,
    CatalogFormat format,
    Path file,
    @Nullable String entry,
    @Nullable String version,
    ReadLimits limits)
    implements OfferSource {
  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    return new Archive(file, file.toString(), limits)
        .read(entry, (text, in) -> format.read(name, text, in, limits))
        .fetched(version, collectedAt());
  }

  private Instant collectedAt() {
    return Optional.ofNullable(version).flatMap(Versions::date).orElseGet(this::modifiedAt);
  }

  private Instant modifiedAt() {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new CatalogException(file + ": The file cannot be read: " + e, e);
    }
  }
}
