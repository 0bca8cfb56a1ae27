package dev.berth.testkit.awkward.containers;

import dev.berth.testkit.fake.FakeAnswer;
import dev.berth.testkit.fake.FakeApi;
import dev.berth.testkit.fake.FakeCloud;
import dev.berth.testkit.fake.FakeItem;
import dev.berth.testkit.fake.FakePage;
import dev.berth.testkit.fake.FakeRefusal;
import dev.berth.testkit.fake.FakeRequest;
import dev.berth.testkit.fake.FakeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The API of the awkward cloud of containers. What stands in the state is what the provider knows;
 * the processes behind it are killed when the server stops.
 */
public final class AwkwardContainerCloud implements FakeCloud {
  static final String KEY = "right-key-c04e";
  static final int PAGE = 4;
  static final Duration LIST_LAG = Duration.ofSeconds(3);
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
  private static final Duration PULL_TIME = Duration.ofMillis(50);
  private static final Duration DELETE_TIME = Duration.ofMillis(300);
  private static final int LINES = 8;
  private static final int LONGEST_LINE = 120;
  private static final String KIND = "container";
  private static final String PATH = "/v1/containers";
  private static final List<ContainerType> TYPES =
      List.of(new ContainerType("box-1", 1, 2, 0.03), new ContainerType("box-4", 4, 8, 0.12));

  private final Map<String, FakeContainer> running = new ConcurrentHashMap<>();
  private @Nullable Path folder;

  record ContainerType(String name, int cpus, int memoryGb, double hourly) {}

  /** What the provider shows of a container. */
  record Shown(
      String name,
      String note,
      String status,
      @Nullable Integer exitCode,
      String reason,
      String changedAt) {
    Shown with(String newStatus, @Nullable Integer newExitCode, FakeState state) {
      return new Shown(name, note, newStatus, newExitCode, reason, state.now().toString());
    }

    Shown with(String newNote) {
      return new Shown(name, newNote, status, exitCode, reason, changedAt);
    }
  }

  @Override
  public String name() {
    return "awkward-containers";
  }

  @Override
  public String summary() {
    return "containers whose logs are lines, forgotten soon after their end; key " + KEY;
  }

  @Override
  public void define(FakeApi api) {
    api.authenticate(
        request -> {
          if (!request.bearer().equals(Optional.of(KEY))) {
            throw new FakeRefusal(401, "unauthorized", "the key is not known");
          }
        });
    api.bills(KIND, body -> !List.of("ended", "failed").contains(body.path("status").asString()));
    api.read("account", "GET", "/v1/account", (_, _) -> FakeAnswer.ok(Map.of("name", "test")));
    api.read("types", "GET", "/v1/types", (_, _) -> FakeAnswer.ok(Map.of("types", TYPES)));
    api.read("list-containers", "GET", PATH, AwkwardContainerCloud::list)
        .lagging(LIST_LAG)
        .limited(20, Duration.ofSeconds(1));
    api.read("show-container", "GET", PATH + "/{name}", (r, s) -> FakeAnswer.ok(item(r, s).body()));
    api.read("show-log", "GET", PATH + "/{name}/log", this::log);
    api.write("create-container", "POST", PATH, (request, state) -> create(api, request, state))
        .limited(6, Duration.ofSeconds(1));
    api.write("change-note", "PATCH", PATH + "/{name}", this::changeNote);
    api.write("delete-container", "DELETE", PATH + "/{name}", this::delete)
        .limited(10, Duration.ofSeconds(1));
  }

  private static FakeItem item(FakeRequest request, FakeState state) {
    return state.require(KIND, request.parameter("name"));
  }

  private static FakeAnswer list(FakeRequest request, FakeState state) {
    FakePage<JsonNode> page =
        FakePage.byCursor(
            state.all(KIND).stream().map(FakeItem::body).toList(), request.asked("cursor"), PAGE);
    Map<String, Object> answer = new HashMap<>();
    answer.put("containers", page.items());
    answer.put("next", page.next().orElse(null));
    return FakeAnswer.ok(answer);
  }

  /** Lines from a number on, with how many there are, and how the container is. */
  private FakeAnswer log(FakeRequest request, FakeState state) {
    FakeItem item = item(request, state);
    FakeContainer container = running.get(item.id());
    try {
      List<String> all = container == null ? List.of() : container.lines();
      int from = Math.min(all.size(), Integer.parseInt(request.asked("from").orElse("0")));
      List<String> lines =
          all.subList(from, Math.min(all.size(), from + LINES)).stream()
              .map(line -> line.substring(0, Math.min(line.length(), LONGEST_LINE)))
              .toList();
      return FakeAnswer.ok(Map.of("container", item.body(), "lines", lines, "total", all.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FakeAnswer create(FakeApi api, FakeRequest request, FakeState state) {
    JsonNode body = request.json();
    String name = body.path("name").asString("");
    String note = note(body);
    if (!name.matches("[a-z0-9-]{1,40}")) {
      throw new FakeRefusal(422, "invalid", "a name has 1 to 40 of a-z, 0-9 and -");
    }
    String type = body.path("type").asString("");
    if (TYPES.stream().noneMatch(known -> known.name().equals(type))) {
      throw new FakeRefusal(422, "unknown_type", "there is no type \"" + type + "\"");
    }
    if (state.find(KIND, name).isPresent()) {
      throw new FakeRefusal(409, "name_taken", "there is a container \"" + name + "\"");
    }
    Shown pulling = new Shown(name, note, "pulling", null, "", state.now().toString());
    state.put(KIND, name, pulling);
    Optional<String> refused = state.refusedLater();
    if (refused.isPresent()) {
      String now = state.now().toString();
      Shown failed = new Shown(name, note, "failed", null, refused.get(), now);
      state.plan(KIND, name, PULL_TIME, failed);
      state.planRemoval(KIND, name, FORGOTTEN_AFTER);
    } else {
      state.plan(KIND, name, PULL_TIME, pulling.with("running", null, state));
      run(api, name, note, body);
    }
    return FakeAnswer.json(201, pulling);
  }

  private static String note(JsonNode body) {
    String note = body.path("note").asString("");
    if (note.length() > 60 || note.contains("\n")) {
      throw new FakeRefusal(422, "invalid", "a note is a line of at most 60 characters");
    }
    return note;
  }

  private void run(FakeApi api, String name, String note, JsonNode body) {
    try {
      if (folder == null) {
        folder = Files.createTempDirectory("fake-containers");
      }
      List<String> command = new ArrayList<>();
      body.path("command").forEach(word -> command.add(word.asString()));
      Map<String, String> environment = new HashMap<>();
      body.path("environment")
          .forEachEntry((word, value) -> environment.put(word, value.asString()));
      boolean root = body.path("user").asString("").equals("root");
      FakeContainer container =
          new FakeContainer(
              Files.createTempDirectory(folder, name),
              command,
              environment,
              note,
              root,
              code -> api.happened(state -> ended(state, name, code)));
      running.put(name, container);
    } catch (IOException e) {
      throw new UncheckedIOException("a container cannot be started", e);
    }
  }

  private static void ended(FakeState state, String name, int code) {
    state
        .find(KIND, name)
        .map(item -> item.as(Shown.class))
        .filter(shown -> !shown.status().equals("deleting"))
        .ifPresent(
            shown -> {
              state.put(KIND, name, shown.with("ended", code, state));
              state.planRemoval(KIND, name, FORGOTTEN_AFTER);
            });
  }

  /** Changes the note, if it is still what the caller believes. */
  private FakeAnswer changeNote(FakeRequest request, FakeState state) {
    Shown shown = item(request, state).as(Shown.class);
    String note = note(request.json());
    if (!request.json().path("was").asString("").equals(shown.note())) {
      throw new FakeRefusal(412, "changed", "the note was changed meanwhile");
    }
    FakeContainer container = running.get(shown.name());
    if (!List.of("pulling", "running").contains(shown.status()) || container == null) {
      throw new FakeRefusal(409, "not_running", "the container does not run");
    }
    state.put(KIND, shown.name(), shown.with(note).with("running", null, state));
    try {
      container.write(note);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return FakeAnswer.ok(shown.with(note));
  }

  private FakeAnswer delete(FakeRequest request, FakeState state) {
    Shown shown = item(request, state).as(Shown.class);
    if (!shown.status().equals("deleting")) {
      state.put(KIND, shown.name(), shown.with("deleting", null, state));
      state.planRemoval(KIND, shown.name(), DELETE_TIME);
      FakeContainer container = running.remove(shown.name());
      if (container != null) {
        container.delete();
      }
    }
    return FakeAnswer.empty(202);
  }

  @Override
  public void stopped() {
    running.values().forEach(FakeContainer::delete);
    running.clear();
    try {
      if (folder != null) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of the containers cannot be deleted", e);
    }
  }
}
