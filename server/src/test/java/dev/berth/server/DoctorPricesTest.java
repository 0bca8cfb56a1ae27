package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.DoctorView.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What berth doctor says of the age of prices. */
final class DoctorPricesTest {
  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");

  private static Instant ago(long hours) {
    return NOON.minus(Duration.ofHours(hours));
  }

  @Test
  void oldPricesOfManySourcesAreOneLineWithAnAgeThatCanBeRead() {
    Map<String, Instant> collected =
        Map.of("gcp", ago(2114), "aws", ago(2110), "azure", ago(31), "lambda", ago(2));
    assertThat(DoctorService.prices(collected, NOON))
        .isEqualTo(
            Check.warn(
                "catalog",
                "the prices of aws, azure, gcp are up to 88 days old",
                "update them with: berth catalog collect"));
  }

  @Test
  void aDayIsToldInHours() {
    assertThat(DoctorService.prices(Map.of("aws", ago(31)), NOON).sentence())
        .isEqualTo("the prices of aws are up to 31 hours old");
  }

  @Test
  void freshPricesAreFine() {
    assertThat(DoctorService.prices(Map.of("aws", ago(29)), NOON).state()).isEqualTo("ok");
  }
}
