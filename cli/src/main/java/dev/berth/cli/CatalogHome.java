package dev.berth.cli;

import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Collector;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.CatalogStore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;

/** The user's catalog: the same folder that an embedded server uses. */
record CatalogHome(CatalogFolder folder) {
  static final String NO_CATALOG =
      "there is no catalog yet; berth catalog import --format gpuhunt|skypilot PATH|URL makes one";

  private static final int PARALLEL = 8;
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  static CatalogHome find() {
    return new CatalogHome(new CatalogFolder(folder(Home.find()), InstantSource.system()));
  }

  /** The one that offers are looked up in: the user's own, or copies of a published one. */
  static CatalogHome inUse(PrintWriter err) {
    return new CatalogHome(DefaultCatalogs.open(Home.find(), err).inUse());
  }

  /** What only the accounts of backends see, as the server of this home collected it. */
  static AccountCatalogs accounts() {
    return new AccountCatalogs(folder(Home.find()), InstantSource.system());
  }

  static Path folder(Home home) {
    return home.folder().resolve("catalog");
  }

  /** The catalog; what is wrong with its files is said. */
  Catalog load(PrintWriter err) {
    CatalogStore.Loaded loaded = folder.store().load();
    loaded.warnings().forEach(warning -> err.println("berth: " + warning));
    return loaded.catalog();
  }

  static void requireKnown(Collection<String> asked, Collection<String> known) {
    for (String source : asked) {
      if (!known.contains(source) && accounts().hasSource(source)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "the source '"
                + source
                + "' needs the account of a backend, so the server collects it; see"
                + " berth catalog list for its age");
      }
      if (!known.contains(source)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "there is no source '" + source + "'; known are " + String.join(", ", known));
      }
    }
  }

  static Collector collector() {
    return new Collector(InstantSource.system(), PARALLEL, DEADLINE);
  }
}
