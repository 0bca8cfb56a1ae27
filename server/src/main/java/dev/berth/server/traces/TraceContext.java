package dev.berth.server.traces;

import dev.berth.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which span of which trace something is, and whether that trace is sent to anybody.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 */
public record TraceContext(String traceId, String spanId, boolean sampled) {
  private static final int TRACE_DIGITS = 32;
  private static final int SPAN_DIGITS = 16;

  /** As W3C writes it; versions to come may say more behind it. */
  private static final Pattern TEXT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  public TraceContext {
    require(traceId, TRACE_DIGITS);
    require(spanId, SPAN_DIGITS);
  }

  private static void require(String id, int digits) {
    if (id.length() != digits || id.chars().allMatch(digit -> digit == '0')) {
      throw new IllegalArgumentException("this is not the id of a trace or span: " + id);
    }
  }

  /** Reads a header `traceparent`; one that is wrong counts as none, says its specification. */
  public static Optional<TraceContext> read(@Nullable String traceparent) {
    String text = traceparent == null ? "" : traceparent;
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches() || (matcher.group(4) != null && text.startsWith("00"))) {
      return Optional.empty();
    }
    try {
      boolean sampled = (Integer.parseInt(matcher.group(3), 16) & 1) == 1;
      return Optional.of(new TraceContext(matcher.group(1), matcher.group(2), sampled));
    } catch (IllegalArgumentException allZeros) {
      return Optional.empty();
    }
  }

  /** The text of a header `traceparent`. */
  public String text() {
    return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
  }

  /** Another span of the same trace. */
  TraceContext span(String otherSpanId) {
    return new TraceContext(traceId, otherSpanId, sampled);
  }

  /** The id of a trace that follows from a text: the same at every server and after a restart. */
  static String traceIdOf(String text) {
    return digest("trace/" + text).substring(0, TRACE_DIGITS);
  }

  /** The same, of a span. */
  static String spanIdOf(String text) {
    return digest("span/" + text).substring(0, SPAN_DIGITS);
  }

  private static String digest(String text) {
    return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
