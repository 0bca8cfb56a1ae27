package dev.berth.catalog.index;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Offers that collide in everything: few values, many equal prices, spellings that differ. */
record RandomContent(Random random) {
  private static final List<String> PROVIDERS = List.of("aws", "AWS", "gcp", "vast", "überwolke");
  private static final List<String> TYPES = List.of("m5.large", "M5.Large", "p5", "a b", "\"q\",€");
  private static final List<String> REGIONS =
      List.of("us-east-1", "US-East-1", "eu-west-1", "uk-a", "東京");
  private static final List<String> ZONES = List.of("a", "us-east-1a", "B", "eu-west-1");
  private static final List<String> NAMES =
      List.of("H100", "h100", "RTX-PRO-6000", "RTXPRO6000", "MI300X", "L4", "nobody-knows");
  private static final List<String> FLAGS = List.of("oci-spot", "OCI-Spot", "gcp-a4");

  SnapshotContent content(String source, int offers, int suspects) {
    List<CatalogItem> items = new ArrayList<>();
    for (int i = 0; i < offers; i++) {
      items.add(i > 0 && chance(10) ? items.get(random.nextInt(i)) : item());
    }
    List<SuspectItem> doubted = new ArrayList<>();
    for (int i = 0; i < suspects; i++) {
      doubted.add(new SuspectItem(item(), one(List.of("The price is zero.", "Too cheap."))));
    }
    Map<String, Long> refused = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      refused.put("reason " + i, random.nextLong(1_000_000));
    }
    long duplicates = random.nextInt(100);
    long rows = offers + suspects + duplicates + refused.values().stream().mapToLong(n -> n).sum();
    return new SnapshotContent(
        source,
        chance(50) ? null : "20260822-" + random.nextInt(9),
        Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextInt(1_000_000_000)),
        new Accounting(rows, offers, suspects, random.nextInt(9), duplicates, 0, refused),
        items,
        doubted);
  }

  private CatalogItem item() {
    return new CatalogItem(
        one(PROVIDERS),
        one(TYPES),
        one(REGIONS),
        chance(50) ? null : one(ZONES),
        price(),
        1 << random.nextInt(5),
        one(List.of(CpuArchitecture.values())),
        1024L << random.nextInt(5),
        gpu(),
        chance(50) ? null : 100_000L * random.nextInt(3),
        random.nextBoolean(),
        flags(),
        chance(80) ? CatalogItem.NO_PROVIDER_DATA : "{\"n\":" + random.nextInt(3) + "}",
        chance(90) ? List.of() : List.of("memory", "name"));
  }

  private double price() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(4) / 2.0;
      case 1 -> random.nextBoolean() ? 0.0 : -0.0;
      case 2 -> random.nextDouble();
      default -> random.nextInt(100);
    };
  }

  private @Nullable Gpu gpu() {
    if (chance(40)) {
      return null;
    }
    return new Gpu(
        chance(80) ? AcceleratorVendor.NVIDIA : one(List.of(AcceleratorVendor.values())),
        one(NAMES),
        1 << random.nextInt(4),
        chance(5) ? Long.MAX_VALUE / 2 : 8192L * random.nextInt(12));
  }

  private List<String> flags() {
    return switch (random.nextInt(4)) {
      case 0 -> List.of(one(FLAGS));
      case 1 -> List.of(one(FLAGS), one(FLAGS));
      default -> List.of();
    };
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
