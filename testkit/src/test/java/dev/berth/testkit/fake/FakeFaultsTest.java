package dev.berth.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What faults do to the effect and to the answer, and which calls they meet. */
class FakeFaultsTest {
  private static final String BOOK = "{\"title\":\"T\",\"status\":\"read\"}";

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

  private FakeFaults.Injected fault(FakeFault fault) {
    return shelf.faults().add(FaultRule.of(fault).in(FaultRule.Scope.WRITES).atCall(1));
  }

  private void lost(String method, String path) {
    assertThatThrownBy(() -> calls.call(method, path, BOOK)).isInstanceOf(IOException.class);
  }

  @Test
  void anAnswerIsLostBeforeTheEffect() throws IOException {
    FakeFaults.Injected injected = fault(new FakeFault.LostBefore());
    lost("PUT", "/books/a");
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    assertThat(injected.count()).isEqualTo(1);
    assertThat(shelf.problems()).isEmpty();
  }

  @Test
  void anAnswerIsLostAfterTheEffect() throws IOException {
    fault(new FakeFault.LostAfter());
    lost("PUT", "/books/a");
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"a\"]");
  }

  @Test
  void aCallIsRefusedWithoutEffectOrInSpiteOfIt() throws IOException {
    fault(new FakeFault.Refused(503, "down", "later"));
    HttpResponse<String> refused = calls.call("PUT", "/books/a", BOOK);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("\"oops\":\"down\"");
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    fault(new FakeFault.RefusedAfter(500, "sorry", "it failed"));
    assertThat(calls.call("PUT", "/books/a", BOOK).statusCode()).isEqualTo(500);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"a\"]");
  }

  @Test
  void tooManyRequestsSayWhenToComeBack() throws IOException {
    fault(new FakeFault.TooMany(Duration.ofMillis(6500)));
    HttpResponse<String> refused = calls.call("PUT", "/books/a", BOOK);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("7");
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
  }

  @Test
  void somethingHappensBetweenTheEffectAndTheAnswer() throws IOException {
    List<Integer> effects = new ArrayList<>();
    FakeFault.Meanwhile look =
        new FakeFault.Meanwhile(() -> effects.add(shelf.inventory().existing("book").size()));
    shelf.faults().add(FaultRule.of(look));
    assertThat(calls.call("PUT", "/books/a", BOOK).statusCode()).isEqualTo(201);
    assertThat(calls.call("GET", "/books/none", "").statusCode()).isEqualTo(404);
    assertThat(effects).containsExactly(2, 2);
  }

  @Test
  void aCallOfSeveralChangesFailsHalfWay() throws IOException {
    fault(new FakeFault.HalfWay(1));
    assertThat(calls.call("POST", "/two", "").statusCode()).isEqualTo(500);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"one\"]");
  }

  @Test
  void whatWasAcceptedIsRefusedLater() throws IOException {
    fault(new FakeFault.RefusedLater("sold out"));
    assertThat(calls.call("POST", "/orders", "").statusCode()).isEqualTo(202);
    shelf.clock().advance(ShelfCloud.SLOW);
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    assertThat(shelf.inventory().existing("order").getFirst().body().path("status").asString())
        .isEqualTo("sold out");
  }

  @Test
  void readsLagAndPagesAreMissing() throws IOException {
    calls.call("PUT", "/books/a", BOOK);
    calls.call("PUT", "/books/b", BOOK);
    shelf.clock().advance(Duration.ofSeconds(3));
    shelf.faults().add(FaultRule.of(new FakeFault.Lagging(Duration.ofSeconds(4))).on("list"));
    assertThat(calls.get("/books")).isEqualTo("[\"seed\"]");
    assertThat(calls.get("/books/a")).contains("\"title\":\"T\"");
    shelf.clock().advance(Duration.ofSeconds(1));
    assertThat(calls.get("/books")).isEqualTo("[\"seed\",\"a\",\"b\"]");
    shelf.faults().add(FaultRule.of(new FakeFault.MissingPage()));
    assertThat(calls.call("GET", "/pages", "").statusCode()).isEqualTo(200);
    assertThat(calls.call("GET", "/pages?cursor=c2", "").statusCode()).isEqualTo(404);
    shelf.faults().clear();
    assertThat(calls.call("GET", "/pages?cursor=c2", "").statusCode()).isEqualTo(200);
  }

  @Test
  void aFaultMeetsTheCallsOfItsRule() throws IOException {
    FakeFault down = new FakeFault.Refused(500, "down", "later");
    shelf.faults().add(FaultRule.of(down).on("show").atCall(2).times(2));
    assertThat(statuses("/books/seed", 4)).containsExactly(200, 500, 500, 200);
    assertThat(statuses("/books", 3)).containsOnly(200);
    shelf.faults().clear();
    // A region that the account may not use is a refusal of the calls that name it.
    shelf
        .faults()
        .add(
            FaultRule.of(new FakeFault.Refused(403, "denied", "not here"))
                .where(request -> request.asked("region").filter("north"::equals).isPresent()));
    assertThat(statuses("/books?region=north", 1)).containsExactly(403);
    assertThat(statuses("/books?region=south", 1)).containsExactly(200);
  }

  @Test
  void theSameSeedMeetsTheSameCalls() throws IOException {
    FaultRule sometimes =
        FaultRule.of(new FakeFault.Refused(500, "down", "later")).sometimes(0.5, 42);
    List<Integer> first;
    try (FakeFaults.Injected injected = shelf.faults().add(sometimes)) {
      first = statuses("/books", 20);
      assertThat(injected.count()).isBetween(4, 16);
    }
    shelf.faults().add(sometimes);
    assertThat(statuses("/books", 20)).isEqualTo(first);
  }

  @Test
  void rulesThatMakeNoSenseAreRefused() {
    FaultRule rule = FaultRule.of(new FakeFault.LostAfter());
    assertThatThrownBy(() -> rule.atCall(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rule.times(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rule.sometimes(1.5, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FakeFault.HalfWay(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FakeFault.Lagging(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FakeRefusal(200, "ok", "fine"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<Integer> statuses(String path, int count) throws IOException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      statuses.add(calls.call("GET", path, "").statusCode());
    }
    return statuses;
  }
}
