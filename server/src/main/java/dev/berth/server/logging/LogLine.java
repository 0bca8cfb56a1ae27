package dev.berth.server.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One event of the log.
 *
 * @param logger the class that speaks
 * @param fields what it is about
 * @param exception with its trace; null for none
 */
record LogLine(
    Instant time,
    String level,
    String logger,
    String message,
    Map<String, String> fields,
    @Nullable String exception) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static LogLine of(LogRecord record, String message, Map<String, String> fields) {
    Throwable thrown = record.getThrown();
    String logger = record.getLoggerName();
    return new LogLine(
        record.getInstant().truncatedTo(ChronoUnit.MILLIS),
        word(record.getLevel()),
        logger == null ? "" : logger,
        message,
        new TreeMap<>(fields),
        thrown == null ? null : trace(thrown));
  }

  private static String word(Level level) {
    return level.intValue() >= Level.SEVERE.intValue()
        ? "error"
        : level.intValue() >= Level.WARNING.intValue()
            ? "warning"
            : level.intValue() >= Level.CONFIG.intValue() ? "info" : "debug";
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }

  /** For people: what goes on over several lines is indented, so that an event still begins one. */
  String text() {
    StringBuilder line = new StringBuilder();
    line.append(time).append(' ').append(level).append(' ');
    line.append(logger.substring(logger.lastIndexOf('.') + 1)).append(": ");
    line.append(message.stripTrailing().replace("\n", "\n  "));
    fields.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    if (exception != null) {
      line.append("\n  ").append(exception.replace("\n", "\n  "));
    }
    return line.append('\n').toString();
  }

  /** For programs. Fields stand beside the others, and never in their place. */
  String json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("time", time.toString());
    object.put("level", level);
    object.put("logger", logger);
    object.put("message", message);
    fields.forEach(object::putIfAbsent);
    if (exception != null) {
      object.put("exception", exception);
    }
    return JSON.writeValueAsString(object) + "\n";
  }
}
