package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
  private static final Result WITH_PEER =
      new Result(new Figure("ps-process", "ms", "jvm-floor"), 201.25, 40.25);
  private static final Result WITHOUT_PEER =
      new Result(new Figure("server-idle-memory", "MB", null), 151.26, null);

  @Test
  void aLineHasFiveWords() {
    assertThat(Report.line(WITH_PEER).trim().split(" +"))
        .containsExactly("ps-process", "201", "ms", "jvm-floor=40.3", "5.00");
    assertThat(Report.line(WITHOUT_PEER).trim().split(" +"))
        .containsExactly("server-idle-memory", "151", "MB", "-", "-");
  }

  @Test
  void columnsStandBelowEachOther() {
    for (String unitAndPeer : List.of(" ms ", " jvm-floor=", " 5.00")) {
      assertThat(Report.line(WITH_PEER)).contains(unitAndPeer);
    }
    assertThat(Report.line(WITH_PEER).indexOf(" ms "))
        .isEqualTo(Report.line(WITHOUT_PEER).indexOf(" MB "));
    assertThat(Report.line(WITH_PEER).indexOf("jvm-floor"))
        .isEqualTo(Report.line(WITHOUT_PEER).indexOf("-  "));
  }

  @Test
  void smallNumbersKeepTheirDigits() {
    assertThat(Report.line(new Result(new Figure("log", "MB/s", "cat"), 12.34, 4000.0)))
        .contains("12.3")
        .contains("cat=4000")
        .endsWith("0.0031");
  }

  @Test
  void jsonHoldsEveryField() {
    JsonNode tree =
        JsonMapper.builder().build().readTree(Report.json(List.of(WITH_PEER, WITHOUT_PEER)));
    assertThat(tree.propertyNames()).containsExactly("benchmarks");
    JsonNode first = tree.path("benchmarks").path(0);
    assertThat(first.propertyNames())
        .containsExactly("name", "value", "unit", "peer", "peer_value", "ratio");
    assertThat(first.path("name").asString()).isEqualTo("ps-process");
    assertThat(first.path("value").asDouble()).isEqualTo(201.25);
    assertThat(first.path("peer_value").asDouble()).isEqualTo(40.25);
    assertThat(first.path("ratio").asDouble()).isEqualTo(5);
    JsonNode second = tree.path("benchmarks").path(1);
    assertThat(second.path("peer").isNull()).isTrue();
    assertThat(second.path("peer_value").isNull()).isTrue();
    assertThat(second.path("ratio").isNull()).isTrue();
  }

  @Test
  void aPeerHasANameAndAValue() {
    assertThatThrownBy(() -> new Result(new Figure("a", "ms", "b"), 1, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
