package dev.berth.server;

import dev.berth.server.traces.RequestTrace;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One that came by HTTP to this server. */
record HttpExchange(Context context, String address, RequestTrace trace) implements Exchange {
  /** A piece of an upload has up to 4 MiB, so that this is enough for 7 KB a second. */
  private static final Duration LONGEST_UPLOAD = Duration.ofMinutes(10);

  @Override
  public String method() {
    return context.method().name();
  }

  @Override
  public String path() {
    return context.path();
  }

  @Override
  public Map<String, String> pathParts() {
    return context.pathParamMap();
  }

  @Override
  public @Nullable String query(String name) {
    return context.queryParam(name);
  }

  @Override
  public List<String> queries(String name) {
    return context.queryParams(name);
  }

  @Override
  public @Nullable String header(String name) {
    return context.header(name);
  }

  @Override
  public long contentLength() {
    return context.req().getContentLengthLong();
  }

  @Override
  public InputStream content() {
    return new TimedStream(context.bodyInputStream(), LONGEST_UPLOAD);
  }

  @Override
  public void responseHeader(String name, String value) {
    context.header(name, value);
  }

  @Override
  public void bytes(String contentType, byte[] bytes) {
    context.contentType(contentType);
    context.result(bytes);
  }

  @Override
  public boolean isUpgrade() {
    return Upgrades.isAsked(context);
  }

  @Override
  public void talk(Conversation conversation, BooleanSupplier allowed) {
    Upgrades.keep(context, conversation, allowed);
  }

  /** Javalin's own stream is passed over: flushing it does nothing. */
  @Override
  public OutputStream events() throws IOException {
    context.contentType("text/event-stream");
    context.header("Cache-Control", "no-store");
    return context.res().getOutputStream();
  }
}
