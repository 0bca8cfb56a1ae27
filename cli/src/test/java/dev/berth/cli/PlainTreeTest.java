package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.json.JsonMapper;

/** JSON that is written without a mapper is what a mapper writes. */
class PlainTreeTest {
  @Test
  void writesWhatAMapperWrites() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("text", "a \"quoted\" line\nand \u00e4\u0001\ud83d\ude00");
    tree.put("nothing", null);
    tree.put("numbers", List.of(1, -2L, 0.5, 1e100, new BigDecimal("1.50")));
    tree.put("empty", List.of(List.of(), Map.of(), ""));
    List<@Nullable Object> nulls = new ArrayList<>();
    nulls.add(null);
    tree.put("deep", Map.of("list", List.of(Map.of("truth", true), nulls)));
    assertThat(PlainTree.holds(tree)).isTrue();
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    StringWriter out = new StringWriter();
    Json.print(tree, new PrintWriter(out, true));
    assertThat(out.toString())
        .isEqualTo(JsonMapper.shared().writer().with(printer).writeValueAsString(tree) + "\n");
  }

  @Test
  void leavesOtherTypesToTheMapper() {
    assertThat(PlainTree.holds(List.of(Map.of("at", Instant.EPOCH)))).isFalse();
    StringWriter out = new StringWriter();
    Json.print(Map.of("at", Instant.EPOCH), new PrintWriter(out, true));
    assertThat(out.toString()).contains("\"1970-01-01T00:00:00Z\"");
  }
}
