package dev.berth.cli;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Collector;
import java.time.Duration;
import java.time.InstantSource;

/** The user's catalog: the same folder that an embedded server uses. */
record CatalogHome(CatalogFolder folder) {
  static final String NO_CATALOG =
      "there is no catalog yet; berth catalog import --format gpuhunt|skypilot PATH|URL makes one";

  private static final int PARALLEL = 8;
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  static CatalogHome find() {
    return new CatalogHome(
        new CatalogFolder(Home.find().folder().resolve("catalog"), InstantSource.system()));
  }

  static Collector collector() {
    return new Collector(InstantSource.system(), PARALLEL, DEADLINE);
  }
}
