package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The catalog through the command line, without and with a server. */
class CatalogTest {
  private static final String HEADER =
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
          + "gpu_vendor,flags,cpu_arch,provider_data\n";
  private static final String ROWS =
      """
      small,eu-west-1,0.10,2,8.0,0,,,False,,,,x86,{}
      small,us-east-1,0.09,2,8.0,0,,,False,,,,x86,{}
      eight,eu-west-1,30.0,192,2048.0,8,H100,80.0,False,,nvidia,,x86,{}
      eight,eu-west-1,16.0,192,2048.0,8,H100,80.0,True,,nvidia,,x86,{}
      eight,us-east-1,18.0,192,2048.0,8,H100,80.0,True,,nvidia,,x86,{}
      free,eu-west-1,0.0,8,64.0,1,H100,80.0,False,,nvidia,,x86,{}
      odd,eu-west-1,cheap,8,64.0,1,H100,80.0,False,,nvidia,,x86,{}
      """;

  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
  }

  private Path published(String rows) throws IOException {
    Path folder = Files.createDirectories(home.scratch().resolve("published"));
    Files.writeString(folder.resolve("aws.csv"), HEADER + rows);
    return folder;
  }

  private FinishedCommand imported(String rows, String... more) throws IOException {
    return home.berth(
        Stream.concat(
                Stream.of("catalog", "import", "--format", "gpuhunt", published(rows).toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private JsonNode offers(String... filters) {
    return home.berth(
            Stream.concat(Stream.of("offer", "--catalog-only", "--json"), Stream.of(filters))
                .toArray(String[]::new))
        .json();
  }

  @Test
  void offersComeCheapestFirstAndSuspectsOnlyWhenAsked() throws IOException {
    assertThat(imported(ROWS).expect(0).out())
        .contains("aws: 5 offers of 7 rows, 1 suspect, 1 refused");
    JsonNode eights = offers("--gpu", "h100:8");
    assertThat(eights.get("total").asInt()).isEqualTo(3);
    assertThat(eights.get("offers").valueStream().map(offer -> offer.get("price").asDouble()))
        .containsExactly(16.0, 18.0, 30.0);
    JsonNode first = eights.get("offers").get(0);
    assertThat(first.propertyNames())
        .contains(
            "backend",
            "region",
            "zone",
            "instance_type",
            "cpus",
            "arch",
            "memory_mib",
            "gpu",
            "disk_mib",
            "spot",
            "price",
            "availability",
            "source",
            "age_seconds",
            "suspect");
    assertThat(first.get("gpu").toString())
        .isEqualTo("{\"vendor\":\"nvidia\",\"name\":\"H100\",\"count\":8,\"memory_mib\":81920}");
    JsonNode suspect = offers("--gpu", "H100", "--include-suspect").get("offers").get(0);
    assertThat(suspect.get("suspect").asBoolean()).isTrue();
    assertThat(suspect.get("suspect_reason").asString()).contains("zero price");
    assertThat(offers("--gpu", "H100:8", "--spot", "-r", "us-east-1").get("total").asInt())
        .isEqualTo(1);
    assertThat(offers("--max-price", "0.09").get("total").asInt()).isEqualTo(1);
    assertThat(offers("--max-offers", "2").get("offers").size()).isEqualTo(2);
    assertThat(offers("-b", "gcp").get("total").asInt()).isZero();
    assertThat(offers("--group-by", "gpu").get("groups").size()).isEqualTo(2);
  }

  @Test
  void theTableFoldsRegionsIntoOneRow() throws IOException {
    imported(ROWS).expect(0);
    FinishedCommand shown = home.berth("offer", "--catalog-only", "--gpu", "H100:8").expect(0);
    assertThat(shown.out().lines().filter(line -> line.contains("eight"))).hasSize(2);
    assertThat(shown.out()).contains("eu-west-1 +1").contains("$16.00").contains("$2.00");
    assertThat(shown.out().lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void whatTheGateRefusesLeavesTheCatalogAsItWas() throws IOException {
    imported(ROWS).expect(0);
    assertThat(imported("", "--json").exitCode()).isEqualTo(77);
    FinishedCommand refused = imported("");
    assertThat(refused.out()).contains("aws: refused");
    assertThat(offers().get("total").asInt()).isEqualTo(5);
    home.berth("catalog", "check").expect(0);
    imported(ROWS.replace("16.0,192", "17.0,192")).expect(0);
    assertThat(home.berth("catalog", "diff", "aws@previous", "aws").expect(0).out())
        .contains("1 repriced")
        .contains("$16.00 -> $17.00");
    JsonNode history = home.berth("catalog", "history", "aws", "eight", "--json").json();
    assertThat(history.get("offers").size()).isEqualTo(3);
  }

  @Test
  void aDamagedSnapshotIsNamedAndTheOneBeforeIsUsed() throws IOException {
    imported(ROWS).expect(0);
    imported(ROWS.replace("16.0,192", "17.0,192")).expect(0);
    Path newest = snapshots().getLast();
    byte[] bytes = Files.readAllBytes(newest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(newest, bytes);
    FinishedCommand shown = home.berth("offer", "--catalog-only", "--json").expect(0);
    assertThat(shown.err()).contains(newest.toString()).contains("damaged");
    assertThat(shown.json().get("total").asInt()).isEqualTo(5);
    home.berth("catalog", "check").expect(65);
  }

  private List<Path> snapshots() throws IOException {
    try (Stream<Path> files = Files.walk(home.folder().resolve("catalog"))) {
      return files.filter(file -> file.toString().endsWith(".offers")).sorted().toList();
    }
  }

  @Test
  void whatIsPublishedCanBeImported() throws IOException {
    imported(ROWS).expect(0);
    Path published = home.scratch().resolve("again");
    home.berth("catalog", "publish", published.toString()).expect(0);
    assertThat(published.resolve("manifest.json")).exists();
    try (TestHome other = TestHome.fresh()) {
      other.berth("catalog", "import", "--format", "gpuhunt", published.toString()).expect(0);
      assertThat(other.berth("offer", "--catalog-only", "--json").json().get("total").asInt())
          .isEqualTo(5);
    }
  }

  @Test
  void aFolderThatIsNotAsItWasSignedIsRefused() throws IOException {
    imported(ROWS).expect(0);
    Path published = home.scratch().resolve("signed");
    home.berth("catalog", "publish", published.toString()).expect(0);
    try (Stream<Path> files = Files.walk(published)) {
      for (Path zip : files.filter(file -> file.endsWith("catalog.zip")).toList()) {
        byte[] bytes = Files.readAllBytes(zip);
        bytes[bytes.length / 3] ^= 1;
        Files.write(zip, bytes);
      }
    }
    home.berth("catalog", "import", "--format", "gpuhunt", published.toString()).expect(65);
    home.berth("catalog", "import", "--format", "gpuhunt", "--key", "x.pub", "published")
        .expect(64);
  }

  @Test
  void whatSaysNothingNewIsNotKeptTwice() throws IOException {
    imported(ROWS).expect(0);
    home.berth("catalog", "collect").expect(0);
    home.berth("catalog", "collect").expect(0);
    assertThat(snapshots()).hasSize(1);
    home.berth("catalog", "diff", "aws@previous", "aws").expect(1);
  }

  @Test
  void aSizeInTheNameOfAGpuIsItsMemory() throws IOException {
    imported(ROWS).expect(0);
    assertThat(offers("--gpu", "H100-80GB:8").get("total").asInt()).isEqualTo(3);
    assertThat(offers("--gpu", "H100-94GB:8").get("total").asInt()).isZero();
    home.berth("offer", "--catalog-only", "--gpu", "H100-80GB:40GB").expect(64);
    home.berth("offer", "--catalog-only", "--country", "EU").expect(64);
  }

  @Test
  void wrongWordsAreRefusedBeforeAnythingHappens() throws IOException {
    home.berth("catalog", "import", "--format", "csv", ".").expect(64);
    home.berth("catalog", "import", "--format", "gpuhunt", "/nowhere").expect(65);
    home.berth("offer", "--catalog-only", "--gpu", "80GB:40GB").expect(64);
    home.berth("offer", "--catalog-only", "--group-by", "price").expect(64);
    home.berth("offer", "--catalog-only", "--spot", "--on-demand").expect(64);
    home.berth("offer", "--catalog-only", "--max-offers", "0").expect(64);
    home.berth("catalog", "collect", "nothing").expect(1);
    assertThat(home.berth("offer", "--catalog-only").expect(0).err())
        .contains("there is no catalog yet");
    Path broken = home.file("broken.csv", "instance_name,price\na,1\n");
    assertThat(home.berth("catalog", "import", "--format", "gpuhunt", broken.toString()).exitCode())
        .isNotZero();
    assertThat(snapshotsOrNone()).isEmpty();
  }

  private List<Path> snapshotsOrNone() throws IOException {
    return Files.exists(home.folder().resolve("catalog")) ? snapshots() : List.of();
  }

  @Test
  void aServerShowsItsMachinesAndMarksWhatItHasNoBackendFor() throws IOException {
    imported(ROWS).expect(0);
    JsonNode answer = home.berth("offer", "--json").json();
    assertThat(
            answer
                .get("offers")
                .valueStream()
                .map(
                    offer ->
                        offer.get("backend").asString()
                            + " "
                            + offer.get("availability").asString())
                .distinct())
        .containsExactly("local available", "aws not_configured");
    FinishedCommand table = home.berth("offer").expect(0);
    assertThat(table.err()).isEmpty();
    assertThat(table.out())
        .contains(" aws *")
        .contains(" * no backend is configured for this provider; runs cannot be placed there.");
    FinishedCommand one = home.berth("offer", "-b", "aws").expect(0);
    assertThat(one.err()).contains("no backend 'aws' is configured");
    FinishedCommand none = home.berth("offer", "-b", "gcp").expect(0);
    assertThat(none.err()).contains("and the catalog has no offers of it");
    assertThat(none.out()).contains("No offer matches");
  }

  @Test
  void everyRowOfTheRealCatalogsIsAccountedFor() {
    Path data =
        Path.of(Objects.requireNonNull(System.getProperty("berth.testdata"), "set by the build"))
            .resolve("catalog-data/gpuhunt-v3");
    assumeTrue(Files.isDirectory(data), "the real catalogs are not at " + data);
    home.berth("catalog", "import", "--format", "gpuhunt", data.toString()).expect(0);
    JsonNode stats = home.berth("catalog", "stats", "--json").json();
    assertThat(stats.get("rows").asLong()).isEqualTo(223_389);
    assertThat(stats.get("refused").valueStream().mapToLong(JsonNode::asLong).sum()).isEqualTo(19);
    assertThat(
            stats.get("offers").asLong()
                + stats.get("suspect").asLong()
                + stats.get("merged").asLong()
                + stats.get("dearer_twins").asLong())
        .isEqualTo(223_370);
  }
}
