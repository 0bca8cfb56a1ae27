package dev.berth.testkit.awkward.containers;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Absent;
import dev.berth.model.JobObservation.Cause;
import dev.berth.model.JobObservation.Exited;
import dev.berth.model.JobObservation.Lost;
import dev.berth.model.JobObservation.Prepared;
import dev.berth.model.JobObservation.Running;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Runs jobs in containers whose name is the job's key, and whose note begins with the owner. What
 * becomes of a job stands in its log, see {@link JobWrapper}; the container runs until the job is
 * released or removed, because nothing can be read of one that has ended.
 */
class AwkwardContainerRuntime implements JobRuntime {
  static final String PATH = "/v1/containers/";
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final int MOST_LOOKS = 300;

  final AwkwardContainerClient client;
  private final BackendContext context;
  private final Map<String, Position> positions = new ConcurrentHashMap<>();

  AwkwardContainerRuntime(AwkwardContainerClient client, BackendContext context) {
    this.client = client;
    this.context = context;
  }

  /** The number of a line, and how many bytes of a stream stand before it. */
  private record Position(int line, long bytes) {}

  @Override
  public Instant start(JobRequest request) {
    JobRuntime.requireOnly(request, AwkwardContainerType.TRAITS);
    Container container = Objects.requireNonNull(request.container(), "a job has an image here");
    Map<String, String> environment = new HashMap<>(request.spec().environment());
    request.secrets().forEach((name, secret) -> environment.put(name, secret.reveal()));
    Map<String, Object> body = new HashMap<>();
    body.put("name", request.attemptId());
    body.put("note", context.owner().installation());
    body.put("type", Objects.requireNonNull(request.place(), "a job is bought").instanceType());
    body.put("image", container.image());
    body.put("user", Objects.requireNonNullElse(container.user(), "root"));
    body.put("ports", container.ports());
    body.put("command", command(request, container));
    body.put("environment", environment);
    if (container.registry() != null) {
      body.put("registry_user", container.registry().username());
      body.put("registry_password", container.registry().password().reveal());
    }
    create(request.attemptId(), body);
    return context.clock().instant();
  }

  List<String> command(JobRequest request, Container container) {
    return JobWrapper.command(request.spec(), container);
  }

  /** Asks for a container. One of its name that is ours is the one that was asked for before. */
  void create(String name, Map<String, ?> body) {
    try {
      client.call("POST", "/v1/containers", body);
    } catch (BackendException.Permanent e) {
      if (find(name).isEmpty()) {
        throw e;
      }
    }
  }

  /** The beginning of a job's log, and how its container is. */
  private Optional<JsonNode> find(String attemptId) {
    try {
      return Optional.of(log(attemptId, 0));
    } catch (BackendException.Gone e) {
      return Optional.empty();
    }
  }

  /** Lines of a log from a number on, and how its container is. */
  JsonNode log(String attemptId, int line) {
    JsonNode page = client.call("GET", PATH + attemptId + "/log?from=" + line, Map.of());
    if (!isOf(page.path("container"), context.owner())) {
      throw new BackendException.Gone("there is no job \"" + attemptId + "\" here", null);
    }
    return page;
  }

  boolean isOf(JsonNode container, Owner owner) {
    return words(container, "note")[0].equals(owner.installation())
        && !words(container, "status")[0].equals("deleting");
  }

  private static String[] words(JsonNode container, String field) {
    return container.path(field).asString().split(" ", -1);
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    find(attemptId).ifPresent(page -> ask(page.path("container"), JobWrapper.seconds(grace)));
  }

  /** Lets a job end within some seconds, unless it has ended or must end sooner already. */
  private void ask(JsonNode container, long seconds) {
    String[] note = words(container, "note");
    if (!hasEnded(container) && (note.length == 1 || seconds < Long.parseLong(note[1]))) {
      String path = PATH + container.path("name").asString();
      String was = container.path("note").asString();
      client.call("PATCH", path, Map.of("note", note[0] + " " + seconds, "was", was));
    }
  }

  private static boolean hasEnded(JsonNode container) {
    return List.of("ended", "failed").contains(words(container, "status")[0]);
  }

  @Override
  public void kill(String attemptId) {
    stop(attemptId, Duration.ZERO);
    JobObservation seen = observe(attemptId);
    for (int looks = 0; seen instanceof Running || seen instanceof Prepared; looks++) {
      if (looks == MOST_LOOKS) {
        throw new BackendException.Transient("the job does not end", null);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      seen = observe(attemptId);
    }
  }

  @Override
  public void remove(String attemptId) {
    positions.keySet().removeIf(key -> key.startsWith(attemptId + " "));
    try {
      client.call("DELETE", PATH + attemptId, Map.of());
    } catch (BackendException.Gone e) {
      // It is not there, which is what was asked for.
    }
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return attemptIds.stream().map(this::observe).toList();
  }

  JobObservation observe(String attemptId) {
    return find(attemptId).map(page -> observed(attemptId, page)).orElseGet(Absent::new);
  }

  private JobObservation observed(String attemptId, JsonNode page) {
    JsonNode container = page.path("container");
    String status = container.path("status").asString();
    int total = page.path("total").asInt();
    if (status.equals("failed")) {
      Instant failed = Instant.parse(container.path("changedAt").asString());
      String reason = container.path("reason").asString();
      return new Exited(null, Cause.START_FAILED, reason, null, failed);
    }
    if (status.equals("pulling") || (total == 0 && !hasEnded(container))) {
      return new Prepared();
    }
    JsonNode lines = page.path("lines");
    JsonNode ends = total > lines.size() ? log(attemptId, total - 1).path("lines") : lines;
    String[] last = ends.path(ends.size() - 1).asString("").split(" ", -1);
    Instant begun = total == 0 ? null : Instant.parse(lines.path(0).asString().split(" ", -1)[1]);
    if (last[0].equals("ended")) {
      boolean ran = !last[1].equals("-");
      Integer code = ran ? Integer.valueOf(last[1]) : null;
      return new Exited(
          code, Cause.valueOf(last[2]), "", ran ? begun : null, Instant.parse(last[3]));
    }
    return begun == null || hasEnded(container)
        ? new Lost("the container ended with code " + container.path("exitCode").asString())
        : new Running(begun);
  }

  @Override
  public JobDescription describe(String attemptId) {
    JsonNode page = log(attemptId, 0);
    String status = page.path("container").path("status").asString();
    return new JobDescription(observed(attemptId, page), status, null, null);
  }

  @Override
  public List<String> list(Owner owner) {
    return client.containers().stream()
        .filter(container -> isOf(container, owner))
        .map(container -> container.path("name").asString())
        .toList();
  }

  /** The cloud does not tell of changes, so Berth looks from time to time. */
  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    return () -> {};
  }

  /** Goes through the lines from the last known one that stands before the offset. */
  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    String word = stream == Stream.STDOUT ? "out" : "err";
    String key = attemptId + " " + word;
    Position known = positions.getOrDefault(key, new Position(0, 0));
    Position at = known.bytes() <= offset ? known : new Position(0, 0);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    boolean ended = false;
    for (boolean more = true; more && at.bytes() < offset + maxBytes; ) {
      if (at.bytes() <= offset) {
        positions.put(key, at);
      }
      JsonNode page = log(attemptId, at.line());
      for (JsonNode line : page.path("lines")) {
        String[] words = line.asString().split(" ", 2);
        byte[] piece = words[0].equals(word) ? Base64.getDecoder().decode(words[1]) : new byte[0];
        int skipped = Math.clamp(offset - at.bytes(), 0, piece.length);
        read.write(piece, skipped, Math.min(piece.length - skipped, maxBytes - read.size()));
        at = new Position(at.line() + 1, at.bytes() + piece.length);
        ended |= words[0].equals("ended");
      }
      more = !ended && !page.path("lines").isEmpty();
      ended |= !more && hasEnded(page.path("container"));
    }
    long next = offset + read.size();
    return new Output(read.toByteArray(), next, ended && at.bytes() <= next);
  }
}
