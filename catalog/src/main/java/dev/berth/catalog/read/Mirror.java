package dev.berth.catalog.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Files on web servers. Every call ends: by an answer, by the deadline, or when more comes than is
 * allowed. Safe for any thread.
 */
final class Mirror implements AutoCloseable {
  private static final int LONGEST_VERSION_FILE = 1024;
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  private final HttpClient http;
  private final Duration answerWithin;
  private final long mostBytes;

  Mirror(Duration connectWithin, Duration answerWithin, long mostBytes) {
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(connectWithin)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    this.answerWithin = answerWithin;
    this.mostBytes = mostBytes;
  }

  /** What a server says of a file. */
  sealed interface Answer {
    /** The file was written to where it was wanted. */
    record Body(@Nullable String etag, @Nullable Instant lastModified) implements Answer {}

    /** It is the one whose tag was given. */
    record Unchanged() implements Answer {}

    /** There is no such file. */
    record Absent() implements Answer {}
  }

  /**
   * Downloads a file.
   *
   * @param etag of the copy that is there already; null for none
   * @throws IOException with a sentence, where there is no clear answer
   */
  Answer download(URI uri, @Nullable String etag, Path into) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(answerWithin);
    if (etag != null) {
      request.header("If-None-Match", etag);
    }
    HttpResponse<Path> response =
        send(
            request.build(),
            info ->
                info.statusCode() == OK
                    ? BodySubscribers.ofFile(
                        into,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)
                    : BodySubscribers.replacing(into),
            mostBytes);
    return switch (response.statusCode()) {
      case OK ->
          new Answer.Body(
              response.headers().firstValue("ETag").orElse(null), lastModified(response));
      case NOT_MODIFIED -> new Answer.Unchanged();
      case NOT_FOUND, GONE -> new Answer.Absent();
      default -> throw unclear(uri, response.statusCode());
    };
  }

  /** A short text; empty where there is no such file. */
  Optional<String> text(URI uri) throws IOException {
    return text(uri, LONGEST_VERSION_FILE);
  }

  /** A text of at most so many bytes; empty where there is no such file. */
  Optional<String> text(URI uri, int atMost) throws IOException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(uri).timeout(answerWithin).build(),
            BodyHandlers.ofString(StandardCharsets.UTF_8),
            atMost);
    return switch (response.statusCode()) {
      case OK -> Optional.of(response.body());
      case NOT_FOUND, GONE -> Optional.empty();
      default -> throw unclear(uri, response.statusCode());
    };
  }

  /** Whether the server says that there is no such file. */
  boolean isAbsent(URI uri) throws IOException {
    int status =
        send(
                HttpRequest.newBuilder(uri).HEAD().timeout(answerWithin).build(),
                BodyHandlers.discarding(),
                LONGEST_VERSION_FILE)
            .statusCode();
    return status == NOT_FOUND || status == GONE;
  }

  private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler, long atMost)
      throws IOException {
    // The request's own timeout ends with the headers; a body that trickles in must end too.
    CompletableFuture<HttpResponse<T>> answer =
        http.sendAsync(request, BodyHandlers.limiting(handler, atMost));
    try {
      return answer.get(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("cannot get " + request.uri() + ": " + words(cause), cause);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(
          request.uri() + " did not answer within " + answerWithin.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for " + request.uri());
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** The client's own exception for a host that is not there says nothing. */
  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message != null
        ? message
        : cause instanceof ConnectException ? "no connection" : cause.getClass().getSimpleName();
  }

  private static IOException unclear(URI uri, int status) {
    return new IOException(
        status / 100 == 3
            ? uri + " redirects and leads nowhere (status " + status + ")"
            : uri + " answered with status " + status);
  }

  private static @Nullable Instant lastModified(HttpResponse<?> response) {
    Optional<String> text = response.headers().firstValue("Last-Modified");
    if (text.isEmpty()) {
      return null;
    }
    try {
      return ZonedDateTime.parse(text.get(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
