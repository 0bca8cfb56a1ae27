package dev.berth.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.LogScope;
import dev.berth.model.config.ServerConfiguration.LogFormat;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ServerLogTest {
  private static LogRecord entry(Level level, String message) {
    LogRecord entry = new LogRecord(level, message);
    entry.setLoggerName("dev.berth.control.Engine");
    entry.setInstant(Instant.parse("2026-11-01T12:00:00.123456Z"));
    return entry;
  }

  private static String line(LogFormat format, LogRecord entry, Map<String, String> fields) {
    AtomicReference<String> line = new AtomicReference<>("");
    LogScope.run(fields, () -> line.set(ServerLog.formatter(format).format(entry)));
    return line.get();
  }

  @Test
  void textIsOneLineWithWhatItIsAbout() {
    assertThat(
            line(
                LogFormat.TEXT,
                entry(Level.WARNING, "No answer"),
                Map.of("backend", "sim", "attempt", "r1-0-0-1")))
        .isEqualTo(
            "2026-11-01T12:00:00.123Z warning Engine: No answer attempt=r1-0-0-1 backend=sim\n");
  }

  @Test
  void whatGoesOnOverSeveralLinesIsIndented() {
    LogRecord entry = entry(Level.SEVERE, "first\nsecond");
    entry.setThrown(new IllegalStateException("broken"));
    String[] lines = line(LogFormat.TEXT, entry, Map.of()).split("\n", -1);
    assertThat(lines[0]).endsWith("error Engine: first");
    assertThat(lines[1]).isEqualTo("  second");
    assertThat(lines[2]).isEqualTo("  java.lang.IllegalStateException: broken");
    assertThat(java.util.Arrays.asList(lines).subList(1, lines.length - 1))
        .allMatch(line -> line.startsWith("  "));
  }

  @Test
  void jsonIsOneObjectALineWhateverIsSaid() {
    LogRecord entry = entry(Level.INFO, "a \"quote\"\nand a line");
    entry.setThrown(new IllegalStateException("broken"));
    String line = line(LogFormat.JSON, entry, Map.of("request", "abc", "level", "mine"));
    assertThat(line.strip()).doesNotContain("\n");
    JsonNode tree = JsonMapper.shared().readTree(line);
    assertThat(tree.get("time").asString()).isEqualTo("2026-11-01T12:00:00.123Z");
    assertThat(tree.get("level").asString()).isEqualTo("info");
    assertThat(tree.get("logger").asString()).isEqualTo("dev.berth.control.Engine");
    assertThat(tree.get("message").asString()).isEqualTo("a \"quote\"\nand a line");
    assertThat(tree.get("request").asString()).isEqualTo("abc");
    assertThat(tree.get("exception").asString()).contains("IllegalStateException: broken");
  }

  @Test
  void fieldsAddUpAndEndWithWhatIsDone() {
    AtomicReference<Map<String, String>> inner = new AtomicReference<>(Map.of());
    LogScope.run(
        Map.of("request", "abc"),
        () -> LogScope.run(Map.of("backend", "sim"), () -> inner.set(LogScope.fields())));
    assertThat(inner.get()).isEqualTo(Map.of("request", "abc", "backend", "sim"));
    assertThat(LogScope.fields()).isEmpty();
  }
}
