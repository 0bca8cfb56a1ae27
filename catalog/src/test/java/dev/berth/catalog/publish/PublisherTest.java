package dev.berth.catalog.publish;

import static dev.berth.catalog.gate.Samples.NOON;
import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.cpu;
import static dev.berth.catalog.gate.Samples.plus;
import static dev.berth.catalog.gate.Samples.priced;
import static dev.berth.catalog.gate.Samples.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Cleaning;
import dev.berth.catalog.gate.Medians;
import dev.berth.catalog.gate.RealCatalogs;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherTest {
  @TempDir Path folder;
  private Path site;
  private KeyPair key;

  @BeforeEach
  void makeKey() {
    site = folder.resolve("site");
    key = Keys.loadOrCreate(folder.resolve("secret/key.pem"));
  }

  @Test
  void theLayoutIsTheOneThatClientsKnow() throws IOException {
    CatalogItem gpu =
        new CatalogItem(
            "cloud",
            "n1, \"big\"",
            "us-1",
            "us-1-b",
            0.00007,
            2,
            CpuArchitecture.ARM,
            614,
            new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "A100", 2, 40 * 1024),
            100L * 1024,
            true,
            List.of("one", "two"),
            "{\"is_dws_calendar_mode\": false}",
            List.of("memory was 40 MiB"));
    Publisher.publish(site, List.of(snapshot(List.of(cpu("small", "east", false, 12), gpu))), key);
    assertThat(site.resolve("cloud/version")).hasContent("20260822-1\n");
    Path zip = site.resolve("cloud/20260822-1/catalog.zip");
    assertThat(csv(zip))
        .isEqualTo(
            "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
                + "gpu_vendor,flags,cpu_arch,provider_data\r\n"
                + "\"n1, \"\"big\"\"\",us-1-b,0.00007,2,0.599609375,2,A100,40.0,True,100.0,nvidia,"
                + "one two,arm,\"{\"\"is_dws_calendar_mode\"\": false}\"\r\n"
                + "small,east,12.0,4,16.0,0,,,False,,,,x86,{}\r\n");
    assertThat(site.resolve("cloud/latest/catalog.zip")).hasSameBinaryContentAs(zip);
    assertThat(files())
        .containsExactlyInAnyOrder(
            "cloud/version",
            "cloud/20260822-1/catalog.zip",
            "cloud/latest/catalog.zip",
            "manifest.json",
            "manifest.sig",
            "manifest.pub");
  }

  @Test
  void equalOffersGiveEqualBytes() throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    Path other = folder.resolve("other");
    Publisher.publish(other, List.of(snapshot(cloud().reversed())), key);
    for (String file : files()) {
      assertThat(other.resolve(file)).hasSameBinaryContentAs(site.resolve(file));
    }
  }

  @Test
  void whatIsPublishedAgainKeepsItsVersionAndNewPricesGetTheNext() throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    assertThat(site.resolve("cloud/version")).hasContent("20260822-1\n");
    List<CatalogItem> more = plus(cloud(), cpu("more", "east", false, 1));
    Manifest manifest = Publisher.publish(site, List.of(snapshot(more)), key);
    assertThat(site.resolve("cloud/version")).hasContent("20260822-2\n");
    assertThat(site.resolve("cloud/20260822-1/catalog.zip")).exists();
    assertThat(Manifest.verify(site, key.getPublic())).isEqualTo(manifest);
    assertThat(Objects.requireNonNull(manifest.providers().get("cloud")).rows()).isEqualTo(41);
  }

  @Test
  void aProviderThatIsNotGivenStaysInTheManifest() {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    SnapshotContent other =
        Cleaning.clean(
            "elsewhere",
            new OfferSource.Fetched(
                "20250101-77",
                NOON,
                List.of(
                    new CatalogItem(
                        "other",
                        "m",
                        "east",
                        null,
                        1,
                        1,
                        CpuArchitecture.X86,
                        1,
                        null,
                        null,
                        false,
                        List.of(),
                        "{}",
                        List.of())),
                List.of()));
    Publisher.publish(site, List.of(other), key);
    Manifest manifest = Manifest.verify(site, key.getPublic());
    assertThat(manifest.providers()).containsOnlyKeys("cloud", "other");
    assertThat(Objects.requireNonNull(manifest.providers().get("other")).version())
        .isEqualTo("20250101-77");
  }

  @Test
  void suspectsAreNotPublished() throws IOException {
    CatalogItem first = cloud().getFirst();
    Publisher.publish(site, List.of(snapshot(plus(cloud().subList(1, 40), priced(first, 0)))), key);
    assertThat(csv(site.resolve("cloud/latest/catalog.zip")).lines()).hasSize(40);
  }

  @Test
  void aChangedFileOrManifestIsFound() throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    Path zip = site.resolve("cloud/20260822-1/catalog.zip");
    byte[] honest = Files.readAllBytes(zip);
    byte[] changed = honest.clone();
    changed[changed.length / 2] ^= 1;
    Files.write(zip, changed);
    assertRefused("catalog.zip is not the file that manifest.json lists");
    Files.write(zip, honest);
    Manifest.verify(site, key.getPublic());

    Path manifest = site.resolve("manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace("20260822-1", "20260822-9"));
    assertRefused("is not signed by the given key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "AAAA", "!!!!"})
  void aDamagedSignatureIsNoSignature(String text) throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    Files.writeString(site.resolve("manifest.sig"), text);
    assertRefused("manifest.");
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    Files.delete(site.resolve("cloud/20260822-1/catalog.zip"));
    assertRefused("catalog.zip cannot be read");
  }

  @Test
  void anotherKeyNeitherVerifiesNorPublishesOver() {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    KeyPair other = Keys.loadOrCreate(folder.resolve("other.pem"));
    assertThatExceptionOfType(CatalogException.class)
        .isThrownBy(() -> Manifest.verify(site, other.getPublic()))
        .withMessageContaining("is not signed by the given key");
    assertThatExceptionOfType(CatalogException.class)
        .isThrownBy(() -> Publisher.publish(site, List.of(snapshot(cloud())), other));
  }

  @Test
  void aReaderBetweenTwoFilesStillFindsASignature() throws IOException {
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    byte[] before = Files.readAllBytes(site.resolve("manifest.json"));
    Publisher.publish(site, List.of(snapshot(plus(cloud(), cpu("more", "east", false, 1)))), key);
    // As a crash before the last rename leaves it.
    Files.write(site.resolve("manifest.json"), before);
    assertThat(
            Objects.requireNonNull(Manifest.verify(site, key.getPublic()).providers().get("cloud"))
                .version())
        .isEqualTo("20260822-1");
  }

  @Test
  void aProviderCannotLeaveTheFolder() {
    CatalogItem hostile =
        new CatalogItem(
            "../evil",
            "m",
            "east",
            null,
            1,
            1,
            CpuArchitecture.X86,
            1,
            null,
            null,
            false,
            List.of(),
            "{}",
            List.of());
    assertThatExceptionOfType(CatalogException.class)
        .isThrownBy(() -> Publisher.publish(site, List.of(snapshot(List.of(hostile))), key))
        .withMessageContaining("../evil");
    assertThat(site).doesNotExist();
  }

  @Test
  void theKeyIsKeptAndOnlyItsOwnerReadsIt() throws IOException {
    Path file = folder.resolve("secret/key.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Keys.loadOrCreate(file).getPublic()).isEqualTo(key.getPublic());
    Publisher.publish(site, List.of(snapshot(cloud())), key);
    assertThat(Keys.loadPublic(site.resolve("manifest.pub"))).isEqualTo(key.getPublic());
    assertThat(site.resolve("manifest.pub")).content().doesNotContain("PRIVATE");
  }

  @Test
  void aFileThatIsNoKeyIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("no.pem"), "hello");
    assertThatExceptionOfType(CatalogException.class)
        .isThrownBy(() -> Keys.loadOrCreate(file))
        .withMessageContaining("no.pem has no block");
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws", "azure", "gcp", "runpod", "cloudrift"})
  void realOffersReadBackTheSame(String provider) throws IOException {
    Path original =
        RealCatalogs.folder("gpuhunt-v3").resolve(provider).resolve("20260822-1/catalog.zip");
    OfferSource.Fetched fetched = RealCatalogs.published(provider, original);
    SnapshotContent content = Cleaning.clean(provider, fetched, Medians.NONE);
    Publisher.publish(site, List.of(content), key);
    Path written = site.resolve(provider).resolve("20260822-1/catalog.zip");
    List<CatalogItem> again = RealCatalogs.published(provider, written).items();
    assertThat(again).hasSize(content.offers().size());
    assertThat(new HashSet<>(again)).isEqualTo(new HashSet<>(content.offers()));
    assertThat(csv(written).lines().findFirst()).isEqualTo(csv(original).lines().findFirst());
  }

  private void assertRefused(String sentence) {
    assertThatExceptionOfType(CatalogException.class)
        .isThrownBy(() -> Manifest.verify(site, key.getPublic()))
        .withMessageContaining(sentence);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(site)) {
      return all.filter(Files::isRegularFile)
          .map(file -> site.relativize(file).toString())
          .toList();
    }
  }

  private static String csv(Path file) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
      Objects.requireNonNull(zip.getNextEntry());
      return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
