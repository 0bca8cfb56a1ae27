package dev.berth.testkit.fake;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A small cloud of books on shelves: a write of several changes, a GraphQL path, a slow create. */
final class ShelfCloud implements FakeCloud {
  static final Duration SLOW = Duration.ofSeconds(30);
  static final Duration LAG = Duration.ofSeconds(10);

  record Book(String title, String status) {}

  @Override
  public String name() {
    return "shelf";
  }

  @Override
  public String summary() {
    return "books";
  }

  @Override
  public void define(FakeApi api) {
    api.authenticate(
        request -> {
          if (request.bearer().equals(Optional.of("wrong"))) {
            throw new FakeRefusal(401, "who-are-you", "no");
          }
        });
    api.errors(
        refusal ->
            FakeAnswer.json(
                refusal.status(), Map.of("oops", refusal.code(), "text", refusal.sentence())));
    api.bills("book", body -> !body.path("status").asString("").equals("stored"));
    api.bills("order", _ -> false);
    api.seed(state -> state.put("book", "seed", new Book("Seed", "stored")));
    api.read("list", "GET", "/books", (_, state) -> FakeAnswer.ok(ids(state)));
    api.read("late", "GET", "/late", (_, state) -> FakeAnswer.ok(ids(state))).lagging(LAG);
    api.read(
        "show",
        "GET",
        "/books/{id}",
        (r, s) -> FakeAnswer.ok(s.require("book", r.parameter("id"))));
    api.read("page", "GET", "/pages", ShelfCloud::page);
    api.read("broken", "GET", "/broken", (_, state) -> FakeAnswer.ok(state.put("x", "y", "z")));
    api.write("put", "PUT", "/books/{id}", ShelfCloud::put);
    api.write("delete", "DELETE", "/books/{id}", ShelfCloud::delete);
    api.write("order", "POST", "/orders", ShelfCloud::order);
    api.write("two", "POST", "/two", ShelfCloud::two);
    api.read("scarce", "GET", "/scarce", (_, _) -> FakeAnswer.empty(204))
        .limited(2, Duration.ofSeconds(12));
    api.write("token", "POST", "/token", (request, _) -> FakeAnswer.ok(request.form()));
    api.read("askAll", "POST", "/graphql", (_, state) -> FakeAnswer.ok(ids(state)))
        .when(request -> request.json().path("query").asString("").contains("books"));
    api.write("rename", "POST", "/graphql", (_, _) -> FakeAnswer.text(200, "renamed"))
        .when(request -> request.json().path("query").asString("").contains("rename"));
  }

  private static List<String> ids(FakeState state) {
    return state.all("book").stream().map(FakeItem::id).toList();
  }

  private static FakeAnswer page(FakeRequest request, FakeState state) {
    FakePage<String> page = FakePage.byCursor(ids(state), request.asked("cursor"), 2);
    return FakeAnswer.ok(
        Map.of("ids", page.items(), "next", page.next().orElse(""), "total", page.total()));
  }

  private static FakeAnswer put(FakeRequest request, FakeState state) {
    Book book = request.as(Book.class);
    return FakeAnswer.json(201, state.put("book", request.parameter("id"), book).body());
  }

  private static FakeAnswer delete(FakeRequest request, FakeState state) {
    state.require("book", request.parameter("id"));
    state.remove("book", request.parameter("id"));
    return FakeAnswer.empty(204);
  }

  /** A book that arrives later, and leaves again some time after that; or is refused. */
  private static FakeAnswer order(FakeRequest request, FakeState state) {
    String id = state.nextId("b");
    state.put("order", id, Map.of("status", "open"));
    state
        .refusedLater()
        .ifPresentOrElse(
            reason -> state.plan("order", id, SLOW, Map.of("status", reason)),
            () -> {
              state.plan("order", id, SLOW, Map.of("status", "done"));
              state.plan("book", id, SLOW, new Book("New", "stored"));
              state.plan("book", id, SLOW.multipliedBy(2), new Book("New", "read"));
              state.planRemoval("book", id, SLOW.multipliedBy(3));
            });
    return FakeAnswer.json(202, Map.of("id", id));
  }

  private static FakeAnswer two(FakeRequest request, FakeState state) {
    state.put("book", "one", new Book("One", "read"));
    if (request.asked("fail").isPresent()) {
      throw new FakeRefusal(409, "full", "no room for the second one");
    }
    state.put("book", "two", new Book("Two", "read"));
    return FakeAnswer.empty(201);
  }
}
