package dev.berth.server;

import dev.berth.model.Secret;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.traces.TraceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where traces shall be sent: as the server's file says, and before that as the
 * environment does by OpenTelemetry's own names.
 */
final class TraceWishes {
  static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
  static final String SERVICE = "OTEL_SERVICE_NAME";
  static final String SAMPLE = "OTEL_TRACES_SAMPLER_ARG";
  static final String DISABLED = "OTEL_SDK_DISABLED";

  private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s/?#@]+(/[^\\s?#]*)?");
  private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e]+");

  private TraceWishes() {}

  /** Null where nobody wants traces. */
  static @Nullable TraceSettings of(
      ServerConfiguration configuration, ServerFile file, Map<String, String> environment)
      throws ServerFile.Invalid {
    ServerConfiguration.Traces written = configuration.traces();
    String given = environment.get(ENDPOINT);
    String endpoint =
        given != null && !given.isBlank() ? given : written == null ? null : written.endpoint();
    if (endpoint == null || "true".equalsIgnoreCase(environment.get(DISABLED))) {
      return null;
    }
    if (!ADDRESS.matcher(endpoint).matches()) {
      throw new ServerFile.Invalid(
          List.of(
              ENDPOINT
                  + ": expected an address such as http://collector:4318, without user and"
                  + " query"));
    }
    Double sample = written == null ? null : written.sample();
    return new TraceSettings(
        endpoint,
        sample(environment.get(SAMPLE), sample == null ? 1 : sample),
        headers(written == null ? null : written.headersFile(), file, environment.get(HEADERS)),
        environment.getOrDefault(SERVICE, "berth"));
  }

  private static double sample(@Nullable String given, double otherwise) throws ServerFile.Invalid {
    if (given == null || given.isBlank()) {
      return otherwise;
    }
    try {
      double sample = Double.parseDouble(given);
      if (sample >= 0 && sample <= 1) {
        return sample;
      }
    } catch (NumberFormatException e) {
      throw badSample(given);
    }
    throw badSample(given);
  }

  private static ServerFile.Invalid badSample(String given) {
    return new ServerFile.Invalid(
        List.of(SAMPLE + ": expected a number from 0 to 1, found '" + given + "'"));
  }

  private static Supplier<Map<String, Secret>> headers(
      @Nullable String headersFile, ServerFile file, @Nullable String given)
      throws ServerFile.Invalid {
    if (given != null && !given.isBlank()) {
      Map<String, Secret> headers = fromText(List.of(given.split(",")), '=', HEADERS);
      return () -> headers;
    }
    if (headersFile == null) {
      return Map::of;
    }
    Path path = file.folder().resolve(headersFile);
    String field = file.path() + ": traces.headers-file";
    try {
      fromFile(path, field);
    } catch (IOException e) {
      throw e instanceof ServerFile.Invalid wrong
          ? wrong
          : new ServerFile.Invalid(
              List.of(field + ": the file cannot be read: " + path + "; make it, or remove this"));
    }
    // Read for each batch, so that a new credential holds at once.
    return () -> {
      try {
        return fromFile(path, field);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private static Map<String, Secret> fromFile(Path path, String field) throws IOException {
    return fromText(
        Files.readString(path)
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList(),
        ':',
        field);
  }

  /** Reads headers. What is wrong is told by its number: it may be a credential. */
  private static Map<String, Secret> fromText(List<String> lines, char separator, String where)
      throws ServerFile.Invalid {
    Map<String, Secret> headers = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int at = line.indexOf(separator);
      String name = at < 0 ? "" : line.substring(0, at).strip();
      String value = at < 0 ? "" : line.substring(at + 1).strip();
      if (separator == '=') {
        value = decoded(value);
      }
      if (!HEADER_NAME.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
        throw new ServerFile.Invalid(
            List.of(
                where
                    + ": header "
                    + (i + 1)
                    + " is wrong; expected a name, '"
                    + separator
                    + "' and a value"));
      }
      headers.put(name, Secret.of(value));
    }
    return headers;
  }

  private static String decoded(String value) {
    try {
      // A plus sign is itself here, as it is in base64.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return "";
    }
  }
}
