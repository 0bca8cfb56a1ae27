package dev.berth.server;

import dev.berth.server.traces.RequestTrace;
import dev.berth.spi.JobRuntime;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server that stands by asks the active one: a request of a client, a piece of a job's
 * output, or what is new of it. One of them is there.
 */
record Passed(
    @Nullable Request request, @Nullable OutputQuestion output, @Nullable FollowQuestion follow) {
  static Passed of(Request request) {
    return new Passed(request, null, null);
  }

  /**
   * A request of a client, without its token.
   *
   * @param key the Idempotency-Key, which also tells a request that is handed out twice
   * @param caller who was let in by the server that stands by; null for who showed no token
   * @param id of the request, for logs and answers
   * @param address where it comes from; null from a server that does not tell yet
   * @param traceparent the span of the server that stands by; null where it traces nothing
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Request(
      String method,
      String path,
      Map<String, String> query,
      String key,
      @Nullable Caller caller,
      @Nullable String id,
      byte[] body,
      @Nullable String address,
      @Nullable String traceparent) {}

  /** A piece of the output of an attempt. */
  record OutputQuestion(String attemptId, JobRuntime.Stream stream, long offset, int limit) {}

  /**
   * What is new of the output of an attempt; the answer may wait for it.
   *
   * @param offsets what is known, by stream
   */
  record FollowQuestion(String attemptId, Map<JobRuntime.Stream, Long> offsets, int limit) {}

  /** The answer to that. */
  record Pieces(Map<JobRuntime.Stream, JobRuntime.Output> streams) {}

  /** A passed request as handlers see it. */
  static final class PassedExchange implements Exchange {
    private final Request request;
    private final Map<String, String> pathParts;
    private final RequestTrace trace;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String contentType = "application/octet-stream";
    private byte[] bytes = new byte[0];

    PassedExchange(Request request, Map<String, String> pathParts, RequestTrace trace) {
      this.trace = trace;
      this.request = request;
      this.pathParts = pathParts;
    }

    /** What the handler has written by itself. */
    Answer written(int status) {
      return new Answer(status, headers, contentType, bytes);
    }

    Map<String, String> headers() {
      return headers;
    }

    @Override
    public String method() {
      return request.method();
    }

    @Override
    public String path() {
      return request.path();
    }

    @Override
    public Map<String, String> pathParts() {
      return pathParts;
    }

    @Override
    public @Nullable String query(String name) {
      return request.query().get(name);
    }

    @Override
    public List<String> queries(String name) {
      String value = query(name);
      return value == null ? List.of() : List.of(value);
    }

    @Override
    public @Nullable String header(String name) {
      return name.equalsIgnoreCase(MessageSender.KEY) ? request.key() : null;
    }

    @Override
    public long contentLength() {
      return request.body().length;
    }

    @Override
    public InputStream content() {
      return new ByteArrayInputStream(request.body());
    }

    @Override
    public String address() {
      return Objects.requireNonNullElse(request.address(), "");
    }

    @Override
    public RequestTrace trace() {
      return trace;
    }

    @Override
    public void responseHeader(String name, String value) {
      headers.put(name, value);
    }

    @Override
    public void bytes(String type, byte[] written) {
      contentType = type;
      bytes = written;
    }

    @Override
    public boolean isUpgrade() {
      return false;
    }

    @Override
    public void talk(Conversation conversation, BooleanSupplier allowed) {
      throw new ApiException(404, "streams are served by the server that was asked");
    }

    @Override
    public OutputStream events() {
      throw new ApiException(404, "streams are served by the server that was asked");
    }
  }
}
