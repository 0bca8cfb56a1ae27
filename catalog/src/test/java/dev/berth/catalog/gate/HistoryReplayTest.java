package dev.berth.catalog.gate;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.catalog.SnapshotContent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Real prices over time: the gate refuses what was a fault, and nothing else. */
class HistoryReplayTest {
  @Test
  void onlyTheEmptyFileIsRefused() throws IOException {
    Path folder = RealCatalogs.folder("history");
    Map<String, List<Version>> series = new TreeMap<>();
    try (CsvReader<NamedCsvRecord> index =
        CsvReader.builder().ofNamedCsvRecord(folder.resolve("index.csv"))) {
      for (NamedCsvRecord row : index) {
        String file = row.getField("file");
        series
            .computeIfAbsent(file.substring(0, file.indexOf('/')), _ -> new ArrayList<>())
            .add(new Version(file, OffsetDateTime.parse(row.getField("committed_at")).toInstant()));
      }
    }
    assertThat(series.values().stream().mapToInt(List::size).sum()).isEqualTo(90);

    Map<String, List<Rule>> refused = new TreeMap<>();
    Map<Rule, Integer> found = new EnumMap<>(Rule.class);
    for (Map.Entry<String, List<Version>> each : series.entrySet()) {
      SnapshotContent previous = null;
      for (Version version :
          each.getValue().stream().sorted(Comparator.comparing(Version::time)).toList()) {
        SnapshotContent next =
            Cleaning.clean(
                each.getKey(),
                RealCatalogs.history(
                    each.getKey(), folder.resolve(version.file()), version.time()));
        Verdict verdict = Gate.judge(previous, next, List.of(), version.time());
        verdict.findings().forEach(finding -> found.merge(finding.rule(), 1, Integer::sum));
        if (verdict.refused()) {
          refused.put(version.file(), verdict.refusals().stream().map(Finding::rule).toList());
        } else {
          previous = next;
        }
      }
    }
    assertThat(refused)
        .isEqualTo(Map.of("lambda-v8/2026-05-07T022449Z-ceab6e78e.csv.gz", List.of(Rule.EMPTY)));
    assertThat(found)
        .containsKeys(Rule.LOST_REGIONS, Rule.SPOT_ABOVE_ON_DEMAND)
        .doesNotContainKeys(Rule.FAR_BELOW_MEDIAN, Rule.ZERO_PRICE);
  }

  private record Version(String file, Instant time) {}
}
