package dev.berth.catalog.collect;

import dev.berth.catalog.gate.Samples;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads an API page by page; a page that is late, broken or refused for now is asked for again a
 * few times.
 *
 * @param pause waits between two tries
 */
record PagedApiSource(
    String name, URI address, HttpClient client, Duration timeout, Consumer<Duration> pause)
    implements OfferSource {
  private static final int TRIES = 3;

  /** Whoever did not answer once gets as long as any machine takes. */
  private static final Duration SECOND_TIMEOUT = Duration.ofMinutes(1);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    List<CatalogItem> items = new ArrayList<>();
    int total;
    do {
      JsonNode page = page(items.size());
      total = page.path("total").asInt(0);
      int before = items.size();
      for (JsonNode row : page.path("rows")) {
        items.add(
            Samples.cpu(
                row.path("type").asString(""),
                row.path("region").asString(""),
                false,
                row.path("price").asDouble(0)));
      }
      if (items.size() == before && before < total) {
        throw failure("the page from " + before + " of " + total + " is empty", null);
      }
    } while (items.size() < total);
    return new Fetched(null, Samples.NOON, items, List.of());
  }

  private JsonNode page(int from) {
    URI page = URI.create(address + "?from=" + from);
    for (int attempt = 1; ; attempt++) {
      Duration wait = Duration.ofSeconds(attempt);
      try {
        HttpResponse<String> response =
            client.send(
                HttpRequest.newBuilder(page)
                    .timeout(attempt == 1 ? timeout : SECOND_TIMEOUT)
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() == 200) {
          return JSON.readTree(response.body());
        }
        if (response.statusCode() != 429 || attempt == TRIES) {
          throw failure(page + " answered with " + response.statusCode(), null);
        }
        wait = Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElse(1));
      } catch (IOException | JacksonException e) {
        if (attempt == TRIES) {
          throw failure(page + " gave no whole page: " + e.getMessage(), e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure("interrupted", e);
      }
      pause.accept(wait);
    }
  }

  private static BackendException failure(String sentence, @Nullable Throwable cause) {
    return new BackendException.Transient(sentence, cause);
  }
}
