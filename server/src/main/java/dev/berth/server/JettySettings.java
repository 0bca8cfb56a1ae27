package dev.berth.server;

import io.javalin.config.JettyConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** How Jetty takes requests in, before any route sees them. */
final class JettySettings {
  /** The words of a command are in the query, and are longer than other queries. */
  private static final int LARGEST_HEAD = 64 * 1024;

  private static final Duration LONGEST_HEAD = Duration.ofSeconds(20);

  /** Javalin routes and admits a request by the method that this names, if it is there. */
  private static final String METHOD_OVERRIDE = "X-HTTP-Method-Override";

  private JettySettings() {}

  static void apply(JettyConfig jetty) {
    jetty.modifyHttpConfiguration(
        http -> {
          http.setRequestHeaderSize(LARGEST_HEAD);
          http.addCustomizer((request, _) -> withoutOverride(request));
        });
    jetty.modifyServer(
        server -> {
          server.setErrorHandler(new Problems());
          server.addBean(new SlowConnections(server, LONGEST_HEAD));
        });
    jetty.modifyServletContextHandler(context -> context.setErrorHandler(new Problems()));
  }

  /** A request does what its first line says, which is what proxies look at. */
  private static Request withoutOverride(Request request) {
    HttpFields headers = request.getHeaders();
    if (!headers.contains(METHOD_OVERRIDE)) {
      return request;
    }
    HttpFields others = HttpFields.build(headers).remove(METHOD_OVERRIDE).asImmutable();
    return new Request.Wrapper(request) {
      @Override
      public HttpFields getHeaders() {
        return others;
      }
    };
  }

  /**
   * Refuses what is no request, or has too long a head, as routes refuse: by a problem document.
   */
  private static final class Problems extends ErrorHandler {
    @Override
    protected void generateResponse(
        Request request,
        Response response,
        int code,
        @Nullable String message,
        @Nullable Throwable cause,
        Callback callback) {
      Answer answer = Answer.problem(code, sentence(code, message), List.of(), Map.of(), null);
      response.getHeaders().put(new HttpField(HttpHeader.CONTENT_TYPE, answer.contentType()));
      response.write(true, ByteBuffer.wrap(answer.body()), callback);
    }

    private static String sentence(int code, @Nullable String message) {
      return switch (code) {
        case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431, HttpStatus.URI_TOO_LONG_414 ->
            "the header of the request has more than the %,d bytes allowed".formatted(LARGEST_HEAD);
        default -> message == null ? "the request cannot be answered" : message;
      };
    }
  }
}
