package dev.berth.hosts.docker;

import static dev.berth.hosts.docker.EngineCalls.QUICK;
import static dev.berth.hosts.docker.EngineCalls.SLOW;
import static dev.berth.hosts.docker.EngineCalls.filters;
import static dev.berth.hosts.docker.EngineCalls.path;
import static dev.berth.hosts.docker.EngineCalls.query;
import static java.util.stream.Collectors.toSet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls of the Docker Engine API that running jobs takes. Podman's service answers them too.
 * Every method throws {@link EngineException}, and blocks for a minute at most, except those that
 * give a stream.
 */
public final class Engine {
  static final Set<String> ENDED = Set.of("exited", "stopped", "dead", "removing");

  /** Podman tells a container that it has prepared to start from one that was only made. */
  private static final Set<String> NEW = Set.of("created", "configured", "initialized");

  private static final int MOST_REMOVALS = 20;
  private static final int LARGEST_FILE = 1 << 20;

  private final EngineCalls calls;

  public Engine(EngineAddress address) {
    this.calls = new EngineCalls(address);
  }

  public EngineImages images() {
    return new EngineImages(calls);
  }

  public EngineNetworks networks() {
    return new EngineNetworks(calls);
  }

  /**
   * What the engine is.
   *
   * @param architecture in the words of Go
   * @param product Engine for Docker's, Podman Engine for Podman's
   * @param oldestApiVersion what it speaks at least; empty where it does not say
   */
  public record Version(
      String apiVersion,
      String engineVersion,
      String os,
      String architecture,
      String product,
      String oldestApiVersion) {
    /** Whether it is Podman, which takes what it does not know without a word. */
    public boolean isPodman() {
      return product.startsWith("Podman");
    }
  }

  /** Asks the engine what it is, which also shows whether it is there. */
  public Version version() {
    return calls.version();
  }

  /** The same, of when it was first asked. */
  public Version knownVersion() {
    return calls.knownVersion();
  }

  /** Asks for something in the version that both sides speak, which an engine may refuse. */
  public void ping() {
    calls.text(EngineRequest.of("GET", "/_ping"), QUICK);
  }

  /** What the engine's machine has: processors, memory, runtimes, devices. */
  public Machine info() {
    // In the newest words of the engine, as with its version: older ones leave the devices out.
    JsonNode answer = calls.newest(EngineRequest.of("GET", "/info"));
    Set<String> devices = new LinkedHashSet<>();
    for (JsonNode device : answer.path("DiscoveredDevices")) {
      if (device.path("Source").asString("").equals("cdi")) {
        devices.add(device.path("ID").asString(""));
      }
    }
    return new Machine(
        answer.path("Name").asString(""),
        answer.path("NCPU").asInt(0),
        answer.path("MemTotal").asLong(0),
        answer.path("DockerRootDir").asString(""),
        answer.path("Runtimes").propertyStream().map(Map.Entry::getKey).collect(toSet()),
        devices);
  }

  /** Whether containers run on when the engine is stopped. Podman is not their parent. */
  public boolean keepsContainers() {
    return knownVersion().isPodman()
        || calls
            .newest(EngineRequest.of("GET", "/info"))
            .path("LiveRestoreEnabled")
            .asBoolean(false);
  }

  /**
   * The engine's machine.
   *
   * @param runtimes the names of what it can run containers with
   * @param cdiDevices the names of the Container Device Interface that it knows
   */
  public record Machine(
      String name,
      int cpus,
      long memoryBytes,
      String root,
      Set<String> runtimes,
      Set<String> cdiDevices) {
    public Machine {
      runtimes = Set.copyOf(runtimes);
      cdiDevices = Set.copyOf(cdiDevices);
    }
  }

  /**
   * Makes a container; a second one of the same name is a conflict.
   *
   * @return what the engine leaves out of what was asked, in its words
   */
  public List<String> create(String name, ContainerSpec spec) {
    List<String> warnings = new ArrayList<>();
    calls
        .json(
            EngineRequest.of("POST", "/containers/create?name=" + query(name)).json(spec.json()),
            SLOW)
        .path("Warnings")
        .forEach(warning -> warnings.add(warning.asString("")));
    warnings.removeIf(String::isBlank);
    return warnings;
  }

  /** Starts a container; silent where it runs. */
  public void start(String name) {
    calls.text(EngineRequest.of("POST", "/containers/" + path(name) + "/start"), SLOW);
  }

  public Optional<ContainerFacts> find(String name) {
    return EngineCalls.present(
        () ->
            ContainerFacts.parse(
                calls.json(EngineRequest.of("GET", "/containers/" + path(name) + "/json"), QUICK)));
  }

  /**
   * A container in a list.
   *
   * @param imageId of the image that it was made from
   */
  public record Listed(
      String name, String imageId, String state, String status, Map<String, String> labels) {
    /** Whether it runs no more. An engine calls one new until a moment after it has begun. */
    public boolean hasEnded() {
      return ENDED.contains(state);
    }

    /** Whether it was made and, as far as the engine knows, never began. */
    public boolean isNew() {
      return NEW.contains(state);
    }
  }

  /** All containers with a label, by name, also those that ended. */
  public Map<String, Listed> list(String label, String value) {
    return listed("&filters=" + filters(Map.of("label", List.of(label + "=" + value))));
  }

  /** All containers of the engine, whoever made them, by name, also those that ended. */
  public Map<String, Listed> list() {
    return listed("");
  }

  private Map<String, Listed> listed(String filters) {
    Map<String, Listed> found = new LinkedHashMap<>();
    for (JsonNode one :
        calls.json(EngineRequest.of("GET", "/containers/json?all=true" + filters), QUICK)) {
      String name = one.path("Names").path(0).asString("");
      name = name.startsWith("/") ? name.substring(1) : name;
      Map<String, String> labels = new LinkedHashMap<>();
      one.path("Labels")
          .properties()
          .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asString("")));
      found.put(
          name,
          new Listed(
              name,
              one.path("ImageID").asString(""),
              one.path("State").asString(""),
              one.path("Status").asString(""),
              labels));
    }
    return found;
  }

  /** What a container uses now; empty where it does not run. Looks once and does not wait. */
  public Optional<ContainerStats> stats(String name) {
    try {
      return ContainerStats.parse(
          calls.json(
              EngineRequest.of(
                  "GET", "/containers/" + path(name) + "/stats?stream=false&one-shot=true"),
              QUICK));
    } catch (EngineException failure) {
      if (failure.isAbsent() || failure.isConflict()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** Sends a signal to the first process; silent where none runs. */
  public void kill(String name, String signal) {
    silentWhere(
        EngineRequest.of("POST", "/containers/" + path(name) + "/kill?signal=" + query(signal)));
  }

  /**
   * Removes a container with all that runs in it; silent where it is gone. Podman fails in the
   * moment when a container has ended and is not yet put away, so that is tried again.
   */
  public void remove(String name) {
    EngineRequest request =
        EngineRequest.of("DELETE", "/containers/" + path(name) + "?force=true&v=true");
    for (int attempt = 1; ; attempt++) {
      try {
        silentWhere(request);
        return;
      } catch (EngineException failure) {
        if (failure.isSilence() || attempt == MOST_REMOVALS) {
          throw failure;
        }
        pause(attempt * 50L);
      }
    }
  }

  private static void pause(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new EngineException(
          EngineException.NO_ANSWER, "waiting for the engine was interrupted", interrupted);
    }
  }

  /** Absent is as good; a conflict says that it does not run, or is being removed already. */
  private void silentWhere(EngineRequest request) {
    try {
      calls.text(request, SLOW);
    } catch (EngineException failure) {
      // Podman tells some conflicts by its words alone.
      if (!failure.isAbsent()
          && !failure.isConflict()
          && !failure.words().contains("can only kill running containers")) {
        throw failure;
      }
    }
  }

  /** Waits until a container does not run; false where it still does when the time is over. */
  public boolean awaitEnd(String name, Duration longest) {
    try {
      calls.text(
          EngineRequest.of("POST", "/containers/" + path(name) + "/wait?condition=not-running"),
          longest);
      return true;
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return true;
      }
      if (failure.isSilence()) {
        return find(name).filter(ContainerFacts::running).isEmpty();
      }
      throw failure;
    }
  }

  /** Whether a container's files have a path, also before it was started. */
  public boolean hasFile(String name, String file) {
    return EngineCalls.present(() -> calls.bytes(archive("HEAD", name, file), QUICK)).isPresent();
  }

  /**
   * A file of a container, as a tar; empty where there is none. Images are anybody's, so that no
   * more than a megabyte is taken.
   */
  public Optional<byte[]> file(String name, String file) {
    try {
      return EngineCalls.present(
          () -> calls.bytes(archive("GET", name, file), QUICK, LARGEST_FILE));
    } catch (EngineException failure) {
      throw failure.status() == EngineException.TOO_LARGE
          ? new EngineException(
              EngineException.TOO_LARGE,
              "the file %s of the image has more than 1 MB; name another image".formatted(file),
              failure)
          : failure;
    }
  }

  private static EngineRequest archive(String method, String name, String file) {
    return EngineRequest.of(method, "/containers/" + path(name) + "/archive?path=" + query(file));
  }

  /** The output of a container as {@link LogFrames}, from its start on, and on while it runs. */
  public EngineResponse logs(String name) {
    return calls.stream(
        EngineRequest.of(
            "GET", "/containers/" + path(name) + "/logs?stdout=true&stderr=true&follow=true"),
        SLOW);
  }

  /** The last that a container printed, for a sentence about why it failed. */
  public String lastWords(String name, int lines) {
    byte[] answer;
    try {
      answer =
          calls.bytes(
              EngineRequest.of(
                  "GET",
                  "/containers/" + path(name) + "/logs?stdout=true&stderr=true&tail=" + lines),
              QUICK,
              LARGEST_FILE);
    } catch (EngineException refused) {
      if (refused.isSilence()) {
        throw refused;
      }
      // An engine may be set to keep no logs.
      return "what it printed is not known: " + refused.words();
    }
    StringBuilder words = new StringBuilder();
    try {
      LogFrames frames = new LogFrames(new ByteArrayInputStream(answer));
      for (Optional<LogFrames.Frame> frame = frames.next();
          frame.isPresent();
          frame = frames.next()) {
        words.append(new String(frame.get().bytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException cut) {
      words.append("...");
    }
    return words.toString().strip();
  }

  /** What happened to containers with a label, a JSON line each, from now on, until closed. */
  public EngineResponse events(String label, String value) {
    String filters =
        filters(
            Map.of(
                "type", List.of("container"),
                "label", List.of(label + "=" + value)));
    return calls.stream(EngineRequest.of("GET", "/events?filters=" + filters), SLOW);
  }

  /**
   * Runs a command in a container that runs.
   *
   * @param end ends the command where it is given up
   */
  public EngineExecution exec(
      String name, List<String> command, Map<String, String> environment, Runnable end) {
    ObjectNode body = EngineJson.object();
    body.put("AttachStdin", true).put("AttachStdout", true).put("AttachStderr", true);
    body.put("Tty", false);
    command.forEach(body.putArray("Cmd")::add);
    ArrayNode variables = body.putArray("Env");
    environment.forEach((key, value) -> variables.add(key + "=" + value));
    String id =
        calls
            .json(
                EngineRequest.of("POST", "/containers/" + path(name) + "/exec")
                    .json(body.toString()),
                QUICK)
            .path("Id")
            .asString("");
    EngineResponse response =
        calls.stream(
            EngineRequest.of("POST", "/exec/" + path(id) + "/start")
                .json("{\"Detach\":false,\"Tty\":false}")
                .with("Connection", "Upgrade")
                .with("Upgrade", "tcp"),
            SLOW);
    return new EngineExecution(response, () -> execState(id), end);
  }

  private EngineExecution.State execState(String id) {
    JsonNode answer = calls.json(EngineRequest.of("GET", "/exec/" + path(id) + "/json"), QUICK);
    return new EngineExecution.State(
        answer.path("Running").asBoolean(false), answer.path("ExitCode").asInt(0));
  }
}
