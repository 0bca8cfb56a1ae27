package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a cron expression comes next. */
final class CronTest {
  @ParameterizedTest(name = "{0} after {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "* * * * *; 2026-11-01T12:00:00Z; 2026-11-01T12:01:00Z",
        "* * * * *; 2026-11-01T12:00:59.999Z; 2026-11-01T12:01:00Z",
        "30 * * * *; 2026-11-01T12:30:00Z; 2026-11-01T13:30:00Z",
        "*/15 * * * *; 2026-11-01T12:16:00Z; 2026-11-01T12:30:00Z",
        "5/20 * * * *; 2026-11-01T12:26:00Z; 2026-11-01T12:45:00Z",
        "10-40/15 * * * *; 2026-11-01T12:26:00Z; 2026-11-01T12:40:00Z",
        "10-40/15 * * * *; 2026-11-01T12:41:00Z; 2026-11-01T13:10:00Z",
        "0,20,40 8,18 * * *; 2026-11-01T08:40:00Z; 2026-11-01T18:00:00Z",
        "0 9-17 * * *; 2026-11-01T17:30:00Z; 2026-11-02T09:00:00Z",
        "59 23 31 12 *; 2026-11-01T00:00:00Z; 2026-12-31T23:59:00Z",
        // Only months that have the day.
        "0 0 31 * *; 2026-01-31T00:00:00Z; 2026-03-31T00:00:00Z",
        "0 0 30 2 *; 2026-01-31T00:00:00Z; ",
        "0 0 29 2 *; 2026-01-31T00:00:00Z; 2028-02-29T00:00:00Z",
        // 2100 is no leap year.
        "0 0 29 2 *; 2096-03-01T00:00:00Z; 2104-02-29T00:00:00Z",
        "0 12 * JAN,jul *; 2026-02-01T00:00:00Z; 2026-07-01T12:00:00Z",
        "0 12 1 mar-may *; 2026-04-02T00:00:00Z; 2026-05-01T12:00:00Z",
        // Monday is 0: the first of November 2026 is a Sunday.
        "0 0 * * 0; 2026-11-01T12:00:00Z; 2026-11-02T00:00:00Z",
        "0 13 * * 6; 2026-11-01T12:00:00Z; 2026-11-01T13:00:00Z",
        "0 0 * * mon; 2026-11-01T12:00:00Z; 2026-11-02T00:00:00Z",
        "0 0 * * sat-sun; 2026-11-02T12:00:00Z; 2026-11-07T00:00:00Z",
        // Day and weekday must both match, not one of them.
        "0 0 13 * fri; 2026-11-01T12:00:00Z; 2026-11-13T00:00:00Z",
        "0 0 13 * fri; 2026-11-13T12:00:00Z; 2027-08-13T00:00:00Z",
      })
  void theNextTimeMatchesAllFields(String expression, Instant after, @Nullable Instant next) {
    assertThat(Cron.next(List.of(expression), after).orElse(null)).isEqualTo(next);
  }

  @Test
  void ofSeveralExpressionsTheEarliestCounts() {
    Instant after = Instant.parse("2026-11-01T12:00:00Z");
    assertThat(Cron.next(List.of("0 18 * * *", "30 12 * * *", "0 0 30 2 *"), after))
        .contains(Instant.parse("2026-11-01T12:30:00Z"));
    assertThat(Cron.next(List.of(), after)).isEmpty();
  }

  @Test
  void anExpressionHasFiveFields() {
    assertThatThrownBy(() -> new Cron("* * * *")).hasMessageContaining("5 fields");
  }
}
