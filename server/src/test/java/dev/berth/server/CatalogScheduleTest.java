package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Origins;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.read.CatalogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    try (CatalogSchedule schedule = new CatalogSchedule(catalog, now::get)) {
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
