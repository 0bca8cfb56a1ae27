package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.read.FakeMirror.Fault;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import dev.berth.spi.OfferSource.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RemoteImportTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);
  private static final Duration IMPATIENT = Duration.ofMillis(300);

  private final Path folder;
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private Instant now = Instant.parse("2026-08-23T12:00:00Z");
  private final FakeMirror mirror;
  private Importer importer;

  RemoteImportTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    mirror = new FakeMirror();
    importer = importer(PATIENT);
  }

  @BeforeEach
  void publish() throws IOException {
    mirror.put("/v3/aws/version", "20260822-1\n");
    mirror.put("/v3/aws/20260822-1/catalog.zip", zip("a1"));
    mirror.put("/v3/gcp/version", "20260822-9");
    mirror.put("/v3/gcp/20260822-9/catalog.zip", zip("g9"));
    mirror.put("/v8/aws/vms.csv", Samples.skypilot("s1"));
  }

  @AfterEach
  void close() {
    importer.close();
    mirror.close();
  }

  @Test
  void aMirrorIsAskedForWhatItHas() {
    List<OfferSource> sources = sources(CatalogFormat.GPUHUNT, "/v3", null);
    assertThat(sources).extracting(OfferSource::name).containsExactly("aws", "gcp");
    Fetched aws = fetch(sources.getFirst());
    assertThat(types(aws)).containsExactly("a1");
    assertThat(aws.version()).isEqualTo("20260822-1");
    assertThat(aws.collectedAt()).isEqualTo(Instant.parse("2026-08-22T00:00:00Z"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void aVersionIsDownloadedOnce() throws IOException {
    OfferSource aws = sources(CatalogFormat.GPUHUNT, "/v3", null).getFirst();
    fetch(aws);
    mirror.requests.clear();
    assertThat(types(fetch(aws))).containsExactly("a1");
    assertThat(mirror.requests).containsExactly("GET /v3/aws/version 200");

    mirror.put("/v3/aws/version", "20260823-1");
    mirror.put("/v3/aws/20260823-1/catalog.zip", zip("a2"));
    assertThat(types(fetch(aws))).containsExactly("a2");
  }

  @Test
  void aFileThatIsUnchangedIsNotSentAgain() {
    OfferSource aws = sources(CatalogFormat.SKYPILOT, "/v8", null).getFirst();
    Fetched first = fetch(aws);
    assertThat(first.collectedAt()).isEqualTo(Instant.parse("2026-08-22T14:28:00Z"));
    mirror.requests.clear();
    Fetched second = fetch(aws);
    assertThat(second.items()).isEqualTo(first.items());
    assertThat(second.collectedAt()).isEqualTo(first.collectedAt());
    assertThat(mirror.requests).containsExactly("GET /v8/aws/vms.csv 304");
    mirror.put("/v8/aws/vms.csv", Samples.skypilot("s2"));
    assertThat(types(fetch(aws))).containsExactly("s2");
  }

  @Test
  void aVersionCanBePinned() throws IOException {
    mirror.put("/v3/aws/20260801-1/catalog.zip", zip("old"));
    OfferSource pinned = sources(CatalogFormat.GPUHUNT, "/v3", "20260801-1").getFirst();
    assertThat(types(fetch(pinned))).containsExactly("old");
    OfferSource gcp = sources(CatalogFormat.GPUHUNT, "/v3", "20260801-1").getLast();
    assertThatThrownBy(() -> fetch(gcp))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("there is no " + mirror.url() + "/v3/gcp/20260801-1/catalog.zip");
    // A copy of another version is not what was asked for.
    fetch(sources(CatalogFormat.GPUHUNT, "/v3", null).getFirst());
    mirror.fail("/v3/aws/20260801-1/catalog.zip", Fault.STATUS_500);
    assertThatThrownBy(() -> fetch(pinned)).isInstanceOf(BackendException.class);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void whateverFailsTheLastGoodCopyStandsIn(Fault fault) {
    OfferSource good = sources(CatalogFormat.SKYPILOT, "/v8", null).getFirst();
    fetch(good);
    importer.close();
    importer = importer(fault == Fault.SILENCE ? IMPATIENT : PATIENT);
    mirror.fail("/v8/aws/vms.csv", fault);
    now = now.plus(Duration.ofDays(3));

    OfferSource aws = aws();
    assertThat(types(fetch(aws))).containsExactly("s1");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .contains("/v8/aws/vms.csv")
        .contains("The copy of 2026-08-23T12:00:00Z is used, which is 3 days old.");

    mirror.heal();
    if (fault == Fault.SILENCE) {
      // One that has no patience takes a busy machine for a silent one.
      importer.close();
      importer = importer(PATIENT);
      aws = aws();
    }
    assertThat(types(fetch(aws))).containsExactly("s1");
    assertThat(warnings).hasSize(1);
  }

  private OfferSource aws() {
    return importer
        .sources(
            new ImportRequest(CatalogFormat.SKYPILOT, mirror.url() + "/v8", null, Set.of("aws")))
        .getFirst();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void withoutACopyTheFaultIsTold(Fault fault) {
    importer.close();
    importer = importer(fault == Fault.SILENCE ? IMPATIENT : PATIENT);
    mirror.fail("/v8/aws/vms.csv", fault);
    OfferSource aws = aws();
    String words =
        switch (fault) {
          case STATUS_500 -> "answered with status 500";
          case CUT_OFF -> "cannot get";
          case SILENCE -> "did not answer within";
          case REDIRECT_TO_ITSELF -> "redirects and leads nowhere";
        };
    // Two clocks run against a server that is silent, and either may be first to end.
    assertThatThrownBy(() -> fetch(aws))
        .isInstanceOf(BackendException.class)
        .message()
        .matches(text -> text.contains(words) || text.contains("timed out"));
  }

  @Test
  void aServerThatIsGoneIsWorkedWithout() {
    fetch(sources(CatalogFormat.GPUHUNT, "/v3", null).getFirst());
    String place = mirror.url() + "/v3";
    mirror.close();
    List<OfferSource> sources =
        importer.sources(new ImportRequest(CatalogFormat.GPUHUNT, place, null, Set.of()));
    OfferSource aws =
        sources.stream().filter(it -> it.name().equals("aws")).findFirst().orElseThrow();
    OfferSource oci =
        sources.stream().filter(it -> it.name().equals("oci")).findFirst().orElseThrow();
    assertThat(types(fetch(aws))).containsExactly("a1");
    assertThat(warnings).hasSize(1);
    assertThatThrownBy(() -> fetch(oci)).isInstanceOf(BackendException.class);
  }

  @Test
  void aBrokenFileDoesNotReplaceTheCopy() {
    OfferSource aws = sources(CatalogFormat.GPUHUNT, "/v3", null).getFirst();
    fetch(aws);
    mirror.put("/v3/aws/version", "20260823-1");
    mirror.put("/v3/aws/20260823-1/catalog.zip", "PK but no archive");
    assertThat(types(fetch(aws))).containsExactly("a1");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).contains("20260823-1/catalog.zip").contains("damaged");
    OfferSource gcp = sources(CatalogFormat.GPUHUNT, "/v3", null).getLast();
    mirror.put("/v3/gcp/20260822-9/catalog.zip", "<html>");
    assertThatThrownBy(() -> fetch(gcp)).isInstanceOf(CatalogException.class);
  }

  @Test
  void aDamagedCopyIsNotUsed() throws IOException {
    OfferSource aws = sources(CatalogFormat.SKYPILOT, "/v8", null).getFirst();
    fetch(aws);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".content")).toList()) {
        Files.writeString(file, Samples.skypilot("forged"));
      }
    }
    assertThat(types(fetch(aws))).containsExactly("s1");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).contains("damaged");
  }

  @Test
  void nothingIsLeftOfDownloadsThatFailed() throws IOException {
    OfferSource aws = sources(CatalogFormat.SKYPILOT, "/v8", null).getFirst();
    fetch(aws);
    mirror.put("/v8/aws/vms.csv", Samples.skypilot("s2"));
    fetch(aws);
    mirror.put("/v8/aws/vms.csv", "broken");
    fetch(aws);
    mirror.fail("/v8/aws/vms.csv", Fault.CUT_OFF);
    fetch(aws);
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(2);
    }
  }

  @Test
  void tooLargeAFileIsNotTaken() {
    importer.close();
    importer =
        new Importer(
            new Importer.Settings(folder, PATIENT, PATIENT, new ReadLimits(50, 10, 50, 10, 10)),
            () -> now,
            warnings::add);
    OfferSource aws = sources(CatalogFormat.SKYPILOT, "/v8", null).getFirst();
    assertThatThrownBy(() -> fetch(aws)).isInstanceOf(BackendException.class);
  }

  @Test
  void singleFilesAndArchivesOfAllProviders() throws IOException {
    mirror.put(
        "/all.zip",
        Samples.zip(Map.of("aws.csv", Samples.gpuhunt("za"), "oci.csv", Samples.gpuhunt("zo"))));
    List<OfferSource> all = sources(CatalogFormat.GPUHUNT, "/all.zip", null);
    assertThat(all).extracting(OfferSource::name).containsExactly("aws", "oci");
    assertThat(types(fetch(all.getLast()))).containsExactly("zo");
    OfferSource file = sources(CatalogFormat.SKYPILOT, "/v8/aws/vms.csv", null).getFirst();
    assertThat(file.name()).isEqualTo("aws");
    assertThat(types(fetch(file))).containsExactly("s1");
  }

  @Test
  void aPlaceWithoutACatalogIsRefused() {
    assertThatThrownBy(() -> sources(CatalogFormat.GPUHUNT, "/elsewhere", null))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("There is no catalog of gpuhunt at");
    for (String place :
        List.of("http://", "http://user:pw@host/", "http://host/?q=1", "http://a b")) {
      assertThatThrownBy(
              () ->
                  importer.sources(new ImportRequest(CatalogFormat.GPUHUNT, place, null, Set.of())))
          .isInstanceOf(CatalogException.class);
    }
  }

  private Importer importer(Duration answerWithin) {
    return new Importer(
        new Importer.Settings(folder, PATIENT, answerWithin, ReadLimits.DEFAULT),
        () -> now,
        warnings::add);
  }

  private List<OfferSource> sources(CatalogFormat format, String path, @Nullable String version) {
    return importer.sources(new ImportRequest(format, mirror.url() + path, version, Set.of()));
  }

  private static Fetched fetch(OfferSource source) {
    return source.fetch(OfferFilter.ANY, false);
  }

  private static List<String> types(Fetched fetched) {
    return fetched.items().stream().map(CatalogItem::instanceType).toList();
  }

  private static byte[] zip(String type) throws IOException {
    return Samples.zip(Map.of("catalog.csv", Samples.gpuhunt(type)));
  }
}
