package dev.berth.server;

import io.javalin.http.Context;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives each request an id, by which answer and log can be put side by side. */
final class RequestIds {
  static final String HEADER = "X-Request-Id";

  /** What is safe in a log and a header, and not too long to read. */
  private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final String ATTRIBUTE = "berth.request";
  private static final int LENGTH = 8;

  private RequestIds() {}

  /** Takes the client's own id where it is sane, or makes one, and tells it. */
  static void assign(Context context) {
    String given = context.header(HEADER);
    String id = given != null && SANE.matcher(given).matches() ? given : Tokens.random(LENGTH);
    context.attribute(ATTRIBUTE, id);
    context.header(HEADER, id);
  }

  /** The id of a request; null before one was assigned. */
  static @Nullable String of(Context context) {
    return context.attribute(ATTRIBUTE);
  }
}
