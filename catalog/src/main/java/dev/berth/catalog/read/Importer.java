package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.spi.OfferSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Brings in catalogs that others publish, as one source for each provider: what is wrong with one
 * provider's file shows when that source is fetched, and the others are not lost. Sources of
 * mirrors work until this is closed.
 */
public final class Importer implements AutoCloseable {
  private final Settings settings;
  private final InstantSource clock;
  private final Consumer<String> warnings;
  private final Mirror mirror;
  private final Copies copies;

  /**
   * How files are brought in.
   *
   * @param copies the folder of the last good copies of what mirrors have
   * @param answerWithin for a whole file
   */
  public record Settings(
      Path copies, Duration connectWithin, Duration answerWithin, ReadLimits limits) {
    public static Settings withCopiesIn(Path copies, ReadLimits limits) {
      return new Settings(copies, Duration.ofSeconds(10), Duration.ofSeconds(120), limits);
    }
  }

  /** Warnings are whole sentences, given from any thread. */
  public Importer(Settings settings, InstantSource clock, Consumer<String> warnings) {
    this.settings = settings;
    this.clock = clock;
    this.warnings = warnings;
    this.mirror =
        new Mirror(
            settings.connectWithin(), settings.answerWithin(), settings.limits().fileBytes());
    this.copies = new Copies(settings.copies(), warnings);
  }

  /**
   * Looks what is there; the offers are read when the sources are fetched.
   *
   * @return at least one source, by name
   * @throws CatalogException where there is no such catalog, or not of a provider that is asked for
   */
  public List<OfferSource> sources(ImportRequest request) {
    List<OfferSource> sources =
        found(request).stream().filter(source -> request.wants(source.name())).toList();
    Set<String> names = new TreeSet<>();
    sources.forEach(source -> names.add(source.name()));
    Set<String> missing = request.missing(names);
    if (!missing.isEmpty()) {
      throw new CatalogException(
          request.place() + " has no offers of " + String.join(", ", missing) + ".");
    }
    if (sources.isEmpty()) {
      throw new CatalogException(
          "There is no catalog of "
              + request.format().word()
              + " at "
              + request.place()
              + ". Is it the right place and --format?");
    }
    return sources;
  }

  private List<OfferSource> found(ImportRequest request) {
    ReadLimits limits = settings.limits();
    String lower = request.place().toLowerCase(Locale.ROOT);
    if (lower.startsWith("http://") || lower.startsWith("https://")) {
      return new RemoteImport(
              request,
              mirror,
              limits,
              place -> new RemoteFile(place, mirror, copies, limits, clock, warnings))
          .sources();
    }
    return new LocalImport(request, path(request.place()), limits).sources();
  }

  private static Path path(String place) {
    try {
      return place.startsWith("file:") ? Path.of(URI.create(place)) : Path.of(place);
    } catch (IllegalArgumentException e) {
      throw new CatalogException("The path cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    mirror.close();
  }
}
