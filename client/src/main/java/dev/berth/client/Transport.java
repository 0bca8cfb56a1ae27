package dev.berth.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes requests to one server and brings its answers back. Safe for any thread. */
interface Transport extends AutoCloseable {
  /**
   * Sends a request and waits for the head of its answer. Whoever calls closes the answer.
   *
   * @throws java.net.ConnectException when nobody listens there
   */
  Answer send(Request request) throws IOException, InterruptedException;

  /** Ends all connections, also those in use. */
  @Override
  void close();

  /**
   * A request.
   *
   * @param target path and query
   * @param answerWithin how long the head of the answer may take; null for as long as it takes
   */
  @SuppressWarnings("ArrayRecordComponent") // a body is handed on, never compared
  record Request(
      String method,
      String target,
      Map<String, String> headers,
      byte[] body,
      @Nullable Duration answerWithin) {
    public Request {
      headers = Map.copyOf(headers);
    }
  }

  /** An answer, whose body is read as it comes. */
  interface Answer extends AutoCloseable {
    int status();

    /** The value of a header, or null. */
    @Nullable String header(String name);

    InputStream body();

    @Override
    void close() throws IOException;
  }
}
