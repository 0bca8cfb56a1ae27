package dev.berth.hosts.container;

import static dev.berth.hosts.access.local.ThisMachine.path;

import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineAddress;
import dev.berth.hosts.images.ImageRetention;
import dev.berth.spi.DuplexChannel;
import dev.berth.spi.Owner;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * An engine whose containers a test makes, starts and ends as it likes, at the very moment between
 * two calls that it is about.
 */
final class SteeredEngine implements EngineAddress {
  private static final String STARTED = "2026-01-02T03:04:05Z";
  private static final String NEVER = "0001-01-01T00:00:00Z";

  /** The states of containers, by name. */
  final Map<String, String> containers = new ConcurrentHashMap<>();

  /** The first lines of what was asked. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

  /** A permit whenever all events were taken in, and the next one is waited for. */
  private final Semaphore takenIn = new Semaphore(0);

  /** Told each request before it is answered. */
  private volatile Consumer<String> listener = _ -> {};

  void beforeEach(Consumer<String> call) {
    listener = call;
  }

  /** Waits until somebody follows the events, or has taken in those that there were. */
  void awaitTakenIn() {
    try {
      if (!takenIn.tryAcquire(1, TimeUnit.MINUTES)) {
        throw new AssertionError("nobody follows the events");
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Ends a container, and says so to whoever follows. */
  void die(String name) {
    containers.put(name, "exited");
    events.add(
        "{\"Action\":\"die\",\"Actor\":{\"Attributes\":{\"name\":\"%s\"}}}\n".formatted(name));
  }

  DockerHost host(Path root) {
    return new DockerHost(
        new Engine(this),
        ThisMachine.ACCESS,
        path(root),
        new Owner("test"),
        "docker",
        Traits.of(Traits.Base.HOSTS),
        new DockerHost.Defaults("bridge", null, Map.of()),
        new ImageRetention(Duration.ofDays(1), 0),
        _ -> {
          throw new IllegalStateException("no devices");
        },
        _ -> {
          throw new IllegalStateException("no archives");
        },
        InstantSource.system());
  }

  @Override
  public DuplexChannel open() {
    return new Channel();
  }

  private String answer(String line) {
    String path = line.split(" ")[1].replaceFirst("^/v[0-9.]+", "");
    if (path.startsWith("/version")) {
      return ok("{\"ApiVersion\":\"1.41\",\"Os\":\"linux\",\"Arch\":\"amd64\"}");
    }
    if (path.startsWith("/containers/json")) {
      return ok(
          containers.entrySet().stream()
              .map(
                  one ->
                      "{\"Names\":[\"/%s\"],\"State\":\"%s\"}"
                          .formatted(one.getKey(), one.getValue()))
              .collect(Collectors.joining(",", "[", "]")));
    }
    if (path.startsWith("/images/")) {
      return ok("{\"Id\":\"sha256:1\",\"Os\":\"linux\",\"Architecture\":\"amd64\"}");
    }
    if (path.startsWith("/networks")) {
      return ok("[]");
    }
    if (path.contains("/archive")) {
      return line.startsWith("HEAD") ? ok("") : status("404 Not Found", "{}");
    }
    String name = path.replaceFirst("^/containers/(create\\?name=)?", "").split("[/?]")[0];
    if (path.startsWith("/containers/create")) {
      return containers.putIfAbsent(name, "created") == null
          ? ok("{\"Id\":\"1\"}")
          : status("409 Conflict", "{\"message\":\"there is one\"}");
    }
    String state = containers.get(name);
    if (state == null) {
      return status("404 Not Found", "{\"message\":\"no such container\"}");
    }
    if (path.endsWith("/start")) {
      containers.replace(name, "created", "running");
      return ok("");
    }
    if (path.contains("/logs")) {
      return ok("");
    }
    if (line.startsWith("DELETE")) {
      containers.remove(name);
      return ok("");
    }
    return ok(
        "{\"State\":{\"Status\":\"%s\",\"Running\":%s,\"StartedAt\":\"%s\"}}"
            .formatted(state, state.equals("running"), state.equals("created") ? NEVER : STARTED));
  }

  private static String ok(String body) {
    return status("200 OK", body);
  }

  private static String status(String status, String body) {
    return "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  private final class Channel implements DuplexChannel {
    private final StringBuilder request = new StringBuilder();
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private boolean answered;
    private volatile boolean open = true;

    @Override
    public int write(ByteBuffer source) {
      int count = source.remaining();
      request.append(StandardCharsets.UTF_8.decode(source));
      return count;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (!answered) {
        answered = true;
        String line = request.substring(0, request.indexOf("\r\n"));
        asked.add(line);
        listener.accept(line);
        piece = bytes(line.contains("/events") ? "HTTP/1.1 200 OK\r\n\r\n" : answer(line));
      }
      if (!piece.hasRemaining() && request.indexOf("/events") > 0) {
        piece = bytes(nextEvent());
      }
      if (!piece.hasRemaining()) {
        return -1;
      }
      int count = Math.min(piece.remaining(), target.remaining());
      target.put(piece.slice(piece.position(), count));
      piece.position(piece.position() + count);
      return count;
    }

    private String nextEvent() throws IOException {
      try {
        if (!open) {
          return "";
        }
        takenIn.release();
        return events.take();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException(interrupted);
      }
    }

    private static ByteBuffer bytes(String text) {
      return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }
}
