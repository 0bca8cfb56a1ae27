package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import dev.berth.spi.OfferSource.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalImportTest {
  @TempDir Path folder;

  @Test
  void aFolderWithAnArchiveForEachVersionOfAProvider() throws IOException {
    write("aws/version", "20260822-1\n");
    write("aws/20260822-1/catalog.zip", Map.of("aws.csv", Samples.gpuhunt("new")));
    write("aws/20260821-7/catalog.zip", Map.of("aws.csv", Samples.gpuhunt("old")));
    write("gcp/latest/catalog.zip", Map.of("gcp.csv", Samples.gpuhunt("latest")));
    List<OfferSource> sources = sources(CatalogFormat.GPUHUNT, "", null);
    assertThat(sources).extracting(OfferSource::name).containsExactly("aws", "gcp");
    assertThat(sources).extracting(OfferSource::kind).containsOnly(OfferSource.Kind.OFFLINE);
    Fetched aws = fetch(sources.getFirst());
    assertThat(types(aws)).containsExactly("new");
    assertThat(aws.version()).isEqualTo("20260822-1");
    assertThat(aws.collectedAt()).isEqualTo(Instant.parse("2026-08-22T00:00:00Z"));
    assertThat(types(fetch(sources.getLast()))).containsExactly("latest");
    assertThat(fetch(sources.getLast()).version()).isNull();

    Fetched pinned = fetch(sources(CatalogFormat.GPUHUNT, "", "20260821-7").getFirst());
    assertThat(types(pinned)).containsExactly("old");
    assertThat(pinned.collectedAt()).isEqualTo(Instant.parse("2026-08-21T00:00:00Z"));
  }

  @Test
  void oneBrokenProviderDoesNotLoseTheOthers() throws IOException {
    write("aws/version", "20260822-1");
    write("aws/20260822-1/catalog.zip", "PK no archive");
    write("gcp/version", "20260822-2");
    write("gcp/20260822-2/catalog.zip", Map.of("gcp.csv", Samples.gpuhunt("good")));
    List<OfferSource> sources = sources(CatalogFormat.GPUHUNT, "", null);
    assertThatThrownBy(() -> fetch(sources.getFirst()))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("catalog.zip")
        .hasMessageContaining("damaged");
    assertThat(types(fetch(sources.getLast()))).containsExactly("good");
  }

  @Test
  void aFolderOfFilesAndSingleFiles() throws IOException {
    write("aws.csv", Samples.gpuhunt("a"));
    write("gcp.csv", Samples.gpuhunt("g"));
    assertThat(sources(CatalogFormat.GPUHUNT, "", null))
        .extracting(OfferSource::name)
        .containsExactly("aws", "gcp");
    Fetched file = fetch(sources(CatalogFormat.GPUHUNT, "gcp.csv", null).getFirst());
    assertThat(types(file)).containsExactly("g");
    assertThat(file.collectedAt())
        .isEqualTo(Files.getLastModifiedTime(folder.resolve("gcp.csv")).toInstant());
  }

  @Test
  void oneArchiveOfAllProviders() throws IOException {
    Map<String, String> all =
        Map.of(
            "aws.csv", Samples.gpuhunt("a"),
            "verda.csv", Samples.gpuhunt("v"),
            "datacrunch.csv", Samples.gpuhunt("v"),
            "version", "20260822-1");
    write("bundle.zip", all);
    write("v2/version", "20260822-1");
    write("v2/20260822-1/catalog.zip", all);
    for (String place : List.of("bundle.zip", "v2")) {
      List<OfferSource> sources = sources(CatalogFormat.GPUHUNT, place, null);
      assertThat(sources).extracting(OfferSource::name).containsExactly("aws", "verda");
      assertThat(types(fetch(sources.getLast()))).containsExactly("v");
    }
  }

  @Test
  void skypilotsNewestSchemaOfEachCloud() throws IOException {
    write("catalogs/v7/aws/vms.csv", Samples.skypilot("a7"));
    write("catalogs/v7/gcp/vms.csv", Samples.skypilot("g7"));
    write("catalogs/v8/gcp/vms.csv", Samples.skypilot("g8"));
    write("catalogs/v8/aws/images.csv", "Tag\n");
    List<OfferSource> sources = sources(CatalogFormat.SKYPILOT, "", null);
    assertThat(sources).extracting(OfferSource::name).containsExactly("aws", "gcp");
    assertThat(types(fetch(sources.getFirst()))).containsExactly("a7");
    assertThat(types(fetch(sources.getLast()))).containsExactly("g8");
    assertThat(sources(CatalogFormat.SKYPILOT, "catalogs/v8", null)).hasSize(1);
    assertThat(sources(CatalogFormat.SKYPILOT, "catalogs/v7/aws/vms.csv", null))
        .extracting(OfferSource::name)
        .containsExactly("aws");
    write("all.zip", Map.of("top/catalogs/v8/gcp/vms.csv", Samples.skypilot("z")));
    assertThat(types(fetch(sources(CatalogFormat.SKYPILOT, "all.zip", null).getFirst())))
        .containsExactly("z");
  }

  @Test
  void whatIsNoCatalogIsRefused() throws IOException {
    assertRefused(CatalogFormat.GPUHUNT, "absent", "There is no file or folder");
    Files.createDirectories(folder.resolve("empty"));
    assertRefused(CatalogFormat.GPUHUNT, "empty", "There is no catalog of gpuhunt");
    assertRefused(CatalogFormat.SKYPILOT, "empty", "There is no catalog of skypilot");
    write("my prices.csv", Samples.gpuhunt("x"));
    assertRefused(CatalogFormat.GPUHUNT, "my prices.csv", "that of a provider");
    write("evil/aws/version", "../../elsewhere");
    write("evil/aws/1/catalog.zip", Map.of("aws.csv", ""));
    assertRefused(CatalogFormat.GPUHUNT, "evil", "A version such as 20260822-1 is expected");
    assertThatThrownBy(() -> new ImportRequest(CatalogFormat.GPUHUNT, "x", "../etc", Set.of()))
        .isInstanceOf(CatalogException.class);
    assertThatThrownBy(() -> CatalogFormat.of("csv"))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("Use gpuhunt or skypilot");
  }

  @Test
  void providersCanBeChosenAndAFileCanBeGivenOne() throws IOException {
    write("aws.csv", Samples.gpuhunt("a"));
    write("gcp.csv", Samples.gpuhunt("g"));
    write("2026-08-22.csv", Samples.gpuhunt("x"));
    try (Importer importer = importer()) {
      assertThat(
              importer.sources(
                  new ImportRequest(
                      CatalogFormat.GPUHUNT,
                      folder.resolve("2026-08-22.csv").toString(),
                      null,
                      Set.of("oci"))))
          .extracting(OfferSource::name)
          .containsExactly("oci");
      Files.delete(folder.resolve("2026-08-22.csv"));
      assertThat(
              importer.sources(
                  new ImportRequest(CatalogFormat.GPUHUNT, folder.toString(), null, Set.of("gcp"))))
          .extracting(OfferSource::name)
          .containsExactly("gcp");
      assertThatThrownBy(
              () ->
                  importer.sources(
                      new ImportRequest(
                          CatalogFormat.GPUHUNT, folder.toString(), null, Set.of("gcp", "oci"))))
          .isInstanceOf(CatalogException.class)
          .hasMessageContaining("has no offers of oci");
    }
  }

  @Test
  void theRealCatalogsAreImportedWhole() {
    Path catalogs = TestData.catalogs();
    try (Importer importer = importer()) {
      List<OfferSource> gpuhunt =
          importer.sources(
              new ImportRequest(
                  CatalogFormat.GPUHUNT,
                  catalogs.resolve("gpuhunt-v3").toString(),
                  null,
                  Set.of()));
      assertThat(gpuhunt).hasSize(9);
      assertThat(gpuhunt.stream().mapToInt(it -> fetch(it).items().size()).sum())
          .isEqualTo(223_370);
      List<OfferSource> skypilot =
          importer.sources(
              new ImportRequest(CatalogFormat.SKYPILOT, catalogs.toString(), null, Set.of()));
      assertThat(skypilot).hasSize(24);
    }
  }

  private void assertRefused(CatalogFormat format, String place, String words) {
    assertThatThrownBy(() -> sources(format, place, null))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining(words);
  }

  private List<OfferSource> sources(CatalogFormat format, String place, @Nullable String version) {
    try (Importer importer = importer()) {
      return importer.sources(
          new ImportRequest(format, folder.resolve(place).toString(), version, Set.of()));
    }
  }

  private Importer importer() {
    return new Importer(
        Importer.Settings.withCopiesIn(folder.resolve("copies"), ReadLimits.DEFAULT),
        InstantSource.system(),
        w -> {});
  }

  private static Fetched fetch(OfferSource source) {
    return source.fetch(OfferFilter.ANY, false);
  }

  private static List<String> types(Fetched fetched) {
    return fetched.items().stream().map(CatalogItem::instanceType).toList();
  }

  private void write(String path, Map<String, String> zipped) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.resolve("..").normalize());
    Files.write(file, Samples.zip(zipped));
  }

  private void write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.resolve("..").normalize());
    Files.writeString(file, text);
  }
}
