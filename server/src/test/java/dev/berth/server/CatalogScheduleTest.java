package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Origins;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.read.CatalogFormat;
import dev.berth.spi.Compute;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server asks sources again when their prices are old. */
class CatalogScheduleTest {
  private static final String HEADER =
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
          + "gpu_vendor,flags,cpu_arch,provider_data\n";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-01T12:00:00Z"));

  @TempDir Path folder = Path.of("");

  @Test
  void asksWhatIsOldAndLeavesTheRest() throws IOException, InterruptedException {
    CatalogFolder catalog = new CatalogFolder(folder.resolve("catalog"), now::get);
    Path published = Files.createDirectory(folder.resolve("published"));
    Files.writeString(published.resolve("oci.csv"), HEADER + row("0.10"));
    catalog.origins().remember(List.of("oci"), origin(published));
    catalog.origins().remember(List.of("gone"), origin(folder.resolve("nowhere")));
    try (CatalogSchedule schedule = new CatalogSchedule(catalog, accounts(Map.of()), now::get)) {
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.10);
      assertThat(catalog.store().sources()).containsExactly("oci");

      Files.writeString(published.resolve("oci.csv"), HEADER + row("0.11"));
      later(Duration.ofHours(1));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.10);

      later(Duration.ofHours(6));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.11);
      assertThat(catalog.store().versions("oci")).hasSize(2);

      // What the gate refuses leaves the state before.
      Files.writeString(published.resolve("oci.csv"), HEADER);
      later(Duration.ofHours(7));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.11);
    }
  }

  @Test
  void aMirrorThatDoesNotAnswerIsAskedAgainSoon() throws IOException, InterruptedException {
    CatalogFolder catalog = new CatalogFolder(folder.resolve("catalog"), now::get);
    AtomicReference<String> answer = new AtomicReference<>(HEADER + row("0.10"));
    AtomicInteger asked = new AtomicInteger();
    HttpServer mirror =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    mirror.createContext(
        "/oci.csv",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = answer.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(body.length == 0 ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    mirror.start();
    try (CatalogSchedule schedule = new CatalogSchedule(catalog, accounts(Map.of()), now::get)) {
      String place = "http://127.0.0.1:" + mirror.getAddress().getPort() + "/oci.csv";
      catalog
          .origins()
          .remember(List.of("oci"), new Origins.Origin(CatalogFormat.GPUHUNT, place, null));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.10);

      answer.set("");
      later(Duration.ofHours(7));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.10);

      int before = asked.get();
      answer.set(HEADER + row("0.12"));
      later(Duration.ofMinutes(10));
      schedule.collectWhatIsDue();
      assertThat(asked.get()).isEqualTo(before);
      later(Duration.ofMinutes(25));
      schedule.collectWhatIsDue();
      assertThat(prices(catalog)).containsExactly(0.12);
    } finally {
      mirror.stop(0);
    }
  }

  @Test
  void whatAnAccountSeesIsCollectedForItAloneAndGoesWithItsBackend()
      throws IOException, InterruptedException {
    CatalogFolder catalog = new CatalogFolder(folder.resolve("catalog"), now::get);
    Map<String, Compute> backends = new HashMap<>();
    backends.put("one@main", new PricedAccount(0.10));
    backends.put("two@main", new PricedAccount(0.20));
    AccountCatalogs accounts = new AccountCatalogs(folder.resolve("catalog"), now::get);
    try (CatalogSchedule schedule = new CatalogSchedule(catalog, accounts(backends), now::get)) {
      schedule.collectForAccounts();
      assertThat(price(accounts, "one@main")).isEqualTo(0.10);
      assertThat(price(accounts, "two@main")).isEqualTo(0.20);
      assertThat(catalog.store().sources()).as("nobody else sees them").isEmpty();

      backends.put("one@main", new PricedAccount(0.11));
      schedule.collectForAccounts();
      assertThat(price(accounts, "one@main")).as("it is not old").isEqualTo(0.10);
      later(Duration.ofHours(7));
      schedule.collectForAccounts();
      assertThat(price(accounts, "one@main")).isEqualTo(0.11);

      backends.remove("two@main");
      schedule.collectForAccounts();
      assertThat(accounts.backends()).containsExactly("one@main");
    }
  }

  private static double price(AccountCatalogs accounts, String backend) {
    return accounts
        .of(backend)
        .store()
        .newest(PricedAccount.SOURCE)
        .orElseThrow()
        .content()
        .offers()
        .getFirst()
        .price();
  }

  private AccountCollection accounts(Map<String, Compute> backends) {
    AccountCatalogs catalogs = new AccountCatalogs(folder.resolve("catalog"), now::get);
    return new AccountCollection(catalogs, () -> backends, backends::keySet, now::get);
  }

  private static Origins.Origin origin(Path place) {
    return new Origins.Origin(CatalogFormat.GPUHUNT, place.toString(), null);
  }

  private static String row(String price) {
    return "VM.Small,eu-frankfurt-1," + price + ",2,8.0,0,,,False,,,,x86,{}\n";
  }

  private static List<Double> prices(CatalogFolder catalog) {
    Snapshot newest = catalog.store().newest("oci").orElseThrow();
    return newest.content().offers().stream().map(offer -> offer.price()).toList();
  }

  private void later(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
