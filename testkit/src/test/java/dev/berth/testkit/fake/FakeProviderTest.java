package dev.berth.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a fake cloud answers, keeps and shows its state. */
class FakeProviderTest {
  private static final String BOOK = "{\"title\":\"T\",\"status\":\"read\"}";

  @TempDir Path directory;
  private FakeProvider shelf;
  private FakeCalls calls;

  @BeforeEach
  void start() throws IOException {
    shelf = FakeProvider.start(new ShelfCloud());
    calls = new FakeCalls(shelf.address());
  }

  @AfterEach
  void stop() {
    shelf.close();
  }

  @Test
  void routesAnswerWithTheParametersOfTheirPath() throws IOException {
    assertThat(calls.call("PUT", "/books/a%2Fb+c", BOOK).statusCode()).isEqualTo(201);
    assertThat(calls.get("/books/a%2Fb+c")).contains("\"id\":\"a/b+c\"", "\"title\":\"T\"");
    assertThat(calls.call("DELETE", "/books/a%2Fb+c", "").statusCode()).isEqualTo(204);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    assertThat(shelf.calls()).isEqualTo(4);
    assertThat(shelf.unknownCalls()).isEmpty();
  }

  @Test
  void whatThereIsNotIsAnsweredInTheVendorsFormAndCounted() throws IOException {
    HttpResponse<String> route = calls.call("GET", "/nowhere", "");
    assertThat(route.statusCode()).isEqualTo(404);
    assertThat(route.body()).contains("\"oops\":\"not-found\"");
    assertThat(calls.call("PATCH", "/books/x", "").statusCode()).isEqualTo(405);
    assertThat(calls.call("POST", "/graphql", "{\"query\":\"drop\"}").statusCode()).isEqualTo(405);
    assertThat(shelf.unknownCalls())
        .containsExactly("GET /nowhere", "PATCH /books/x", "POST /graphql");
    // What a route itself does not find is no unknown call.
    assertThat(calls.call("GET", "/books/x", "").statusCode()).isEqualTo(404);
    assertThat(shelf.unknownCalls()).hasSize(3);
  }

  @Test
  void oneGraphQlPathHasSeveralOperations() throws IOException {
    assertThat(calls.call("POST", "/graphql", "{\"query\":\"{books}\"}").body())
        .isEqualTo("[\"seed\"]");
    assertThat(calls.call("POST", "/graphql", "{\"query\":\"rename\"}").body())
        .isEqualTo("renamed");
  }

  @Test
  void badBodiesAreTheClientsFaultAndFailingHandlersTheFakes() throws IOException {
    assertThat(calls.call("PUT", "/books/a", "{").statusCode()).isEqualTo(400);
    assertThat(calls.call("PUT", "/books/a", "{\"title\":{}}").statusCode()).isEqualTo(400);
    assertThat(shelf.problems()).isEmpty();
    assertThat(calls.call("GET", "/broken", "").statusCode()).isEqualTo(500);
    assertThat(shelf.problems())
        .singleElement()
        .asString()
        .contains("GET /broken", "FakeApi.write");
  }

  @Test
  void aRefusedWriteChangesNothing() throws IOException {
    assertThat(calls.call("POST", "/two?fail=yes", "").statusCode()).isEqualTo(409);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    assertThat(calls.call("POST", "/two", "").statusCode()).isEqualTo(201);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"one\",\"two\"]");
  }

  @Test
  void whatIsPlannedHappensWhenTheClockIsAdvanced() throws IOException {
    calls.call("POST", "/orders", "");
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    shelf.clock().advance(ShelfCloud.SLOW.minusMillis(1));
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    shelf.clock().advance(Duration.ofMillis(1));
    assertThat(calls.get("/books/b1")).contains("\"status\":\"stored\"");
    shelf.clock().advance(ShelfCloud.SLOW);
    assertThat(calls.get("/books/b1")).contains("\"status\":\"read\"");
    shelf.clock().advance(ShelfCloud.SLOW);
    assertThat(calls.call("GET", "/books/b1", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aChangeForgetsWhatWasPlanned() throws IOException {
    calls.call("POST", "/orders", "");
    shelf.clock().advance(ShelfCloud.SLOW);
    calls.call("PUT", "/books/b1", BOOK);
    shelf.clock().advance(Duration.ofDays(1));
    assertThat(calls.get("/books/b1")).contains("\"title\":\"T\"");
  }

  @Test
  void aRouteMayAlwaysLag() throws IOException {
    calls.call("PUT", "/books/a", BOOK);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"a\"]");
    shelf.clock().advance(ShelfCloud.LAG.minusMillis(1));
    assertThat(calls.get("/late")).isEqualTo("[\"seed\"]");
    shelf.clock().advance(Duration.ofMillis(1));
    assertThat(calls.get("/late")).isEqualTo("[\"seed\",\"a\"]");
  }

  @Test
  void theInventoryKnowsAllThatEverWasAndWhatItCost() throws IOException {
    calls.call("PUT", "/books/a", BOOK);
    shelf.clock().advance(Duration.ofMinutes(5));
    calls.call("PUT", "/books/a", "{\"title\":\"T\",\"status\":\"stored\"}");
    shelf.clock().advance(Duration.ofMinutes(5));
    calls.call("PUT", "/books/a", BOOK);
    assertThat(shelf.inventory().leftovers())
        .extracting(FakeInventory.Entry::id)
        .containsExactly("a");
    shelf.clock().advance(Duration.ofMinutes(1));
    calls.call("DELETE", "/books/a", "");
    calls.call("PUT", "/books/a", BOOK);
    FakeInventory inventory = shelf.inventory();
    assertThat(inventory.existing("book"))
        .extracting(FakeInventory.Entry::id)
        .containsExactly("seed", "a");
    List<FakeInventory.Entry> lives =
        inventory.entries().stream().filter(entry -> entry.id().equals("a")).toList();
    assertThat(lives).extracting(FakeInventory.Entry::exists).containsExactly(false, true);
    assertThat(lives.getFirst().billed(inventory.at())).isEqualTo(Duration.ofMinutes(6));
    assertThat(lives.getFirst().bills()).hasSize(2);
    shelf.clock().advance(Duration.ofMinutes(2));
    assertThat(lives.getLast().billed(shelf.clock().instant())).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void aRouteMayBeLimited() throws IOException {
    assertThat(calls.call("GET", "/scarce", "").statusCode()).isEqualTo(204);
    shelf.clock().advance(Duration.ofSeconds(5));
    assertThat(calls.call("GET", "/scarce", "").statusCode()).isEqualTo(204);
    HttpResponse<String> refused = calls.call("GET", "/scarce", "");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("7");
    shelf.clock().advance(Duration.ofSeconds(7));
    assertThat(calls.call("GET", "/scarce", "").statusCode()).isEqualTo(204);
    assertThat(calls.call("GET", "/scarce", "").statusCode()).isEqualTo(429);
    assertThat(calls.call("GET", "/books", "").statusCode()).isEqualTo(200);
  }

  @Test
  void allCallsMayBeLimitedTogether() throws IOException {
    FakeCloud narrow =
        new FakeCloud() {
          @Override
          public String name() {
            return "narrow";
          }

          @Override
          public String summary() {
            return "one call a second";
          }

          @Override
          public void define(FakeApi api) {
            new ShelfCloud().define(api);
            api.limit(1, Duration.ofSeconds(1));
          }
        };
    try (FakeProvider provider = FakeProvider.start(narrow)) {
      FakeCalls at = new FakeCalls(provider.address());
      assertThat(at.call("GET", "/books", "").statusCode()).isEqualTo(200);
      assertThat(at.call("GET", "/late", "").statusCode()).isEqualTo(429);
      provider.clock().advance(Duration.ofSeconds(1));
      assertThat(at.call("GET", "/late", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void formsAreRead() throws IOException {
    assertThat(calls.call("POST", "/token", "grant_type=client_credentials&x=a%20b+c").body())
        .contains("\"grant_type\":\"client_credentials\"", "\"x\":\"a b c\"");
  }

  @Test
  void pagesAreCutByCursorsAndNumbers() throws IOException {
    calls.call("PUT", "/books/a", BOOK);
    calls.call("PUT", "/books/b", BOOK);
    assertThat(calls.get("/pages")).contains("[\"seed\",\"a\"]", "\"next\":\"c2\"", "\"total\":3");
    assertThat(calls.get("/pages?cursor=c2")).contains("[\"b\"]", "\"next\":\"\"");
    assertThat(calls.call("GET", "/pages?cursor=2", "").statusCode()).isEqualTo(400);
    assertThat(FakePage.byNumber(List.of(1, 2, 3), Optional.of("2"), 2).items()).containsExactly(3);
    assertThat(FakePage.byNumber(List.of(1), Optional.of("9"), 2).items()).isEmpty();
    assertThatThrownBy(() -> FakePage.byNumber(List.of(1), Optional.of("0"), 2))
        .isInstanceOf(FakeRefusal.class);
  }

  @Test
  void theStateInAFileSurvivesTheServer() throws IOException {
    Path file = directory.resolve("shelf.json");
    FakeProvider.Options kept = FakeProvider.Options.usual().keptIn(file);
    try (FakeProvider first = FakeProvider.start(new ShelfCloud(), kept)) {
      FakeCalls at = new FakeCalls(first.address());
      at.call("PUT", "/books/a", BOOK);
      at.call("DELETE", "/books/seed", "");
      at.call("POST", "/orders", "");
    }
    FakeProvider.Options later = kept.at(first(kept.clock()));
    try (FakeProvider second = FakeProvider.start(new ShelfCloud(), later)) {
      FakeCalls at = new FakeCalls(second.address());
      assertThat(at.get("/books")).isEqualTo("[\"a\",\"b1\"]");
      assertThat(at.call("POST", "/orders", "").body()).isEqualTo("{\"id\":\"b2\"}");
      assertThat(second.inventory().entries()).hasSize(5);
    }
    assertThat(directory.toFile().list()).containsExactly("shelf.json");
  }

  private static FakeClock first(FakeClock clock) {
    return FakeClock.startingAt(clock.instant().plus(ShelfCloud.SLOW));
  }

  @Test
  void aFileOfSomethingElseIsRefused() throws IOException {
    Path file = directory.resolve("data");
    FakeProvider.Options kept = FakeProvider.Options.usual().keptIn(file);
    for (String bad : List.of("", "no json", "{}", "{\"cloud\":\"other\",\"lastNumber\":1}")) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> FakeProvider.start(new ShelfCloud(), kept))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("it is ");
      assertThat(file).hasContent(bad);
    }
  }

  @Test
  void aClockThatRunsIsAdvancedOverLongPausesOnly() throws Exception {
    FakeClock clock = FakeClock.running();
    Instant real = Instant.now();
    clock.patience().pause(new Semaphore(0), Duration.ofHours(2));
    assertThat(clock.instant()).isAfterOrEqualTo(real.plus(Duration.ofHours(2)));
    Semaphore wake = new Semaphore(1);
    clock.patience().pause(wake, Duration.ofSeconds(2));
    assertThat(wake.availablePermits()).isZero();
    assertThat(clock.patience().makesHoursPass()).isTrue();
    assertThat(FakeClock.real().patience().makesHoursPass()).isFalse();
  }

  @Test
  void onlyAVirtualClockIsAdvancedAndOnlyForwards() {
    assertThatThrownBy(() -> FakeClock.real().advance(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> shelf.clock().advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
