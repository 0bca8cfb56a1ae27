package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.testing.CatalogMirror;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The catalog that is fetched where none was imported, through the command line. */
class FetchedCatalogTest {
  private static final String HEADER =
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
          + "gpu_vendor,flags,cpu_arch,provider_data\n";
  private static final String ROWS =
      """
      small,eu-west-1,0.10,2,8.0,0,,,False,,,,x86,{}
      eight,eu-west-1,30.0,192,2048.0,8,H100,80.0,False,,nvidia,,x86,{}
      """;

  private CatalogMirror mirror;
  private TestHome home;

  @BeforeEach
  void open() throws IOException {
    mirror = new CatalogMirror("20260822-1").publish("aws", HEADER + ROWS);
    home = TestHome.fresh().set("BERTH_CATALOG", mirror.url());
  }

  @AfterEach
  void close() {
    home.close();
    mirror.close();
  }

  /** The first command may go on without, and what it has begun ends in the background. */
  private FinishedCommand awaitPrices(String... command) {
    Await.until("a catalog", () -> home.berth(command).err().contains("prices are from"));
    return home.berth(command).expect(0);
  }

  @Test
  void withoutAServerACommandFetchesAndLaterOnesUseTheCopy() {
    assertThat(home.berth("doctor").out()).contains("catalog: none is imported; the catalog at");
    FinishedCommand shown = awaitPrices("offer", "--catalog-only", "--gpu", "H100:8");
    assertThat(shown.out()).contains("eight").contains("$30.00");
    assertThat(shown.err().lines()).hasSize(1);
    assertThat(shown.err()).contains("the catalog at " + mirror.url() + ", fetched ");
    assertThat(home.embedded()).as("no server was started").isEmpty();
    mirror.close();
    assertThat(home.berth("offer", "--catalog-only", "--json").json().get("total").asInt())
        .isEqualTo(2);
    assertThat(home.berth("catalog", "list").expect(0).out()).contains("aws");
    assertThat(home.berth("doctor").out()).contains("catalog: prices are from the catalog at");
  }

  @Test
  void aMirrorThatIsGoneIsToldOfInOneLineAndAskedOnce() {
    mirror.close();
    Await.until(
        "a failure",
        () -> home.berth("offer", "--catalog-only").err().contains("could not be fetched"));
    FinishedCommand failed = home.berth("offer", "--catalog-only").expect(0);
    assertThat(failed.err().lines()).hasSize(1);
    assertThat(failed.err())
        .contains("the next try is in 5 minutes")
        .contains("berth catalog import")
        .contains("catalog: off");
    assertThat(failed.out()).contains("There is no catalog to search.");
  }

  @Test
  void aServerFetchesForOffersAndForWhatNoPlaceCanTake() {
    Path small = home.task("small", "", "echo hello");
    assertThat(home.berth("apply", "-y", "-f", small.toString()).expect(0).out()).contains("hello");
    home.berth("validate", "-f", small.toString()).expect(0);
    home.berth("ps", "-a").expect(0);
    home.berth("offer", "-b", "local").expect(0);
    assertThat(mirror.requested()).as("nobody looked beyond this machine").isEmpty();
    FinishedCommand offers = awaitPrices("offer");
    assertThat(offers.out()).contains("local").contains("aws *").contains("runs cannot be placed");
    Path large = home.task("large", "resources: {gpu: 'H100:8'}", "train");
    FinishedCommand plan = home.berth("plan", "-f", large.toString()).expect(77);
    assertThat(plan.out())
        .contains("No offer can run this.")
        .contains("no backend is configured for their providers")
        .contains("eight")
        .contains("Note: prices are from the catalog at " + mirror.url());
  }
}
