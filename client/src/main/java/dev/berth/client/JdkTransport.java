package dev.berth.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The JDK's client, which speaks TLS and to any server. */
final class JdkTransport implements Transport {
  private final String origin;

  /** Made when it is needed, because that takes longer than most calls. Guarded by this. */
  private @Nullable HttpClient http;

  /**
   * A transport to a server.
   *
   * @param origin scheme, host and port
   */
  JdkTransport(String origin) {
    this.origin = origin;
  }

  synchronized HttpClient http() {
    HttpClient made = http == null ? make(origin.startsWith("http://")) : http;
    http = made;
    return made;
  }

  /**
   * A connection without encryption needs no certificates, and reading those of the JDK takes
   * longer than most calls.
   */
  private static HttpClient make(boolean plain) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    try {
      if (plain) {
        SSLContext nobodyIsTrusted = SSLContext.getInstance("TLS");
        nobodyIsTrusted.init(new KeyManager[0], new TrustManager[0], null);
        builder.sslContext(nobodyIsTrusted);
      }
      return builder.build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(origin + request.target()))
            .method(
                request.method(),
                request.body().length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(request.body()));
    request.headers().forEach(builder::header);
    if (request.answerWithin() != null) {
      builder.timeout(request.answerWithin());
    }
    HttpResponse<InputStream> response =
        http().send(builder.build(), HttpResponse.BodyHandlers.ofInputStream());
    return new Answer() {
      @Override
      public int status() {
        return response.statusCode();
      }

      @Override
      public @Nullable String header(String name) {
        return response.headers().firstValue(name).orElse(null);
      }

      @Override
      public InputStream body() {
        return response.body();
      }

      @Override
      public void close() throws IOException {
        response.body().close();
      }
    };
  }

  @Override
  public synchronized void close() {
    if (http != null) {
      http.shutdownNow();
    }
  }
}
