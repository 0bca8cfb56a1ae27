package dev.berth.hosts.docker;

import static java.util.stream.Collectors.toSet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls of the Docker Engine API that running jobs takes. Podman's service answers them too.
 * Every method throws {@link EngineException}, and blocks for a minute at most, except those that
 * give a stream.
 */
public final class Engine {
  /** The newest that we know; an older engine gets its own. */
  private static final String NEWEST = "1.41";

  static final Set<String> ENDED = Set.of("exited", "stopped", "dead", "removing");

  /** Podman tells a container that it has prepared to start from one that was only made. */
  private static final Set<String> NEW = Set.of("created", "configured", "initialized");

  private static final int MOST_REMOVALS = 20;

  static final Duration QUICK = Duration.ofSeconds(20);
  static final Duration SLOW = Duration.ofSeconds(55);

  private final EngineHttp http;

  /** The version of the API that both sides speak; empty before the first call. */
  private volatile String version = "";

  public Engine(EngineAddress address) {
    this.http = new EngineHttp(address);
  }

  /**
   * What the engine is.
   *
   * @param architecture in the words of Go
   * @param product Engine for Docker's, Podman Engine for Podman's
   */
  public record Version(
      String apiVersion, String engineVersion, String os, String architecture, String product) {
    /** Whether it is Podman, which takes what it does not know without a word. */
    public boolean isPodman() {
      return product.startsWith("Podman");
    }
  }

  /** Asks the engine what it is, which also shows whether it is there. */
  public Version version() {
    JsonNode answer = EngineJson.parse(http.call("", EngineRequest.of("GET", "/version"), QUICK));
    return new Version(
        answer.path("ApiVersion").asString(""),
        answer.path("Version").asString(""),
        answer.path("Os").asString(""),
        answer.path("Arch").asString(""),
        answer.path("Components").path(0).path("Name").asString(""));
  }

  private String spoken() {
    String known = version;
    if (known.isEmpty()) {
      known = older(version().apiVersion(), NEWEST);
      version = known;
    }
    return known;
  }

  static String older(String one, String other) {
    if (!one.matches("[0-9]{1,4}\\.[0-9]{1,4}")) {
      return other;
    }
    int dot = one.indexOf('.');
    int major = Integer.parseInt(one.substring(0, dot));
    int minor = Integer.parseInt(one.substring(dot + 1));
    int otherDot = other.indexOf('.');
    int otherMajor = Integer.parseInt(other.substring(0, otherDot));
    int otherMinor = Integer.parseInt(other.substring(otherDot + 1));
    boolean isOlder = major < otherMajor || (major == otherMajor && minor < otherMinor);
    return isOlder ? one : other;
  }

  JsonNode json(EngineRequest request, Duration deadline) {
    String text = http.call(spoken(), request, deadline);
    return text.isBlank() ? EngineJson.object() : EngineJson.parse(text);
  }

  /** What the engine's machine has: processors, memory, runtimes, devices. */
  public Machine info() {
    // In the newest words of the engine, as with its version: older ones leave the devices out.
    JsonNode answer = EngineJson.parse(http.call("", EngineRequest.of("GET", "/info"), QUICK));
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

  /** An image that is there; empty where it must be pulled. */
  public Optional<ImageFacts> findImage(String image) {
    try {
      return Optional.of(
          ImageFacts.parse(
              json(EngineRequest.of("GET", "/images/" + path(image) + "/json"), QUICK)));
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** The names that an image has, with their tags; none where it is known by its digest only. */
  public List<String> tags(String image) {
    List<String> tags = new ArrayList<>();
    json(EngineRequest.of("GET", "/images/" + path(image) + "/json"), QUICK)
        .path("RepoTags")
        .forEach(tag -> tags.add(tag.asString("")));
    return tags;
  }

  /** Deletes an image by its name; false where the engine says that it is in use. */
  public boolean removeImage(String image) {
    try {
      http.call(
          spoken(), EngineRequest.of("DELETE", "/images/" + path(image) + "?force=false"), SLOW);
      return true;
    } catch (EngineException failure) {
      if (failure.isConflict()) {
        return false;
      }
      if (failure.isAbsent()) {
        return true;
      }
      throw failure;
    }
  }

  /** A name and password at a registry. */
  public record Login(String username, String password, String registry) {
    String header() {
      ObjectNode login = EngineJson.object();
      login.put("username", username).put("password", password).put("serveraddress", registry);
      return Base64.getUrlEncoder()
          .encodeToString(login.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "Login[" + username + "]";
    }
  }

  /**
   * Pulls an image; the caller reads the lines of {@link PullProgress} to their end, which is when
   * the image is there.
   *
   * @param opened is told the connection before anything is sent; closing it ends the pull
   */
  public EngineResponse pull(
      ImageName image, @Nullable Login login, Consumer<EngineChannel> opened) {
    EngineRequest request =
        EngineRequest.of(
            "POST",
            "/images/create?fromImage="
                + query(image.repository())
                + "&tag="
                + query(image.reference()));
    if (login != null) {
      request = request.with("X-Registry-Auth", login.header());
    }
    // Some engines answer only when the registry did.
    return http.stream(spoken(), request, Duration.ofMinutes(5), opened);
  }

  /** Makes an image of one layer out of a tar, with what its configuration says. */
  public void importImage(InputStream tar, ImageName image, List<String> changes) {
    StringBuilder path = new StringBuilder("/images/create?fromSrc=-");
    // Podman does not look at the parameter for the tag.
    path.append("&repo=").append(query(image.repository() + ":" + image.reference()));
    changes.forEach(change -> path.append("&changes=").append(query(change)));
    String answer =
        http.call(
            spoken(), EngineRequest.of("POST", path.toString()).tar(tar), Duration.ofMinutes(5));
    PullProgress progress = new PullProgress(image.repository());
    answer.lines().forEach(progress::line);
    progress
        .failure()
        .ifPresent(
            failure -> {
              throw new EngineException(500, failure, null);
            });
  }

  /** Makes a container; a second one of the same name is a conflict. */
  public String create(String name, ContainerSpec spec) {
    JsonNode answer =
        json(
            EngineRequest.of("POST", "/containers/create?name=" + query(name)).json(spec.json()),
            SLOW);
    return answer.path("Id").asString("");
  }

  /** Starts a container; silent where it runs. */
  public void start(String name) {
    http.call(spoken(), EngineRequest.of("POST", "/containers/" + path(name) + "/start"), SLOW);
  }

  public Optional<ContainerFacts> find(String name) {
    try {
      return Optional.of(
          ContainerFacts.parse(
              json(EngineRequest.of("GET", "/containers/" + path(name) + "/json"), QUICK)));
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** All that the engine tells of a container, as it tells it. */
  public String inspection(String name) {
    return http.call(
        spoken(), EngineRequest.of("GET", "/containers/" + path(name) + "/json"), QUICK);
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
        json(EngineRequest.of("GET", "/containers/json?all=true" + filters), QUICK)) {
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
          json(
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
      http.call(spoken(), request, SLOW);
    } catch (EngineException failure) {
      if (!failure.isAbsent() && !failure.isConflict()) {
        throw failure;
      }
    }
  }

  /** Waits until a container does not run; false where it still does when the time is over. */
  public boolean awaitEnd(String name, Duration longest) {
    try {
      http.call(
          spoken(),
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
    try {
      http.bytes(
          spoken(),
          EngineRequest.of("HEAD", "/containers/" + path(name) + "/archive?path=" + query(file)),
          QUICK);
      return true;
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return false;
      }
      throw failure;
    }
  }

  /** A file of a container, as a tar; empty where there is none. */
  public Optional<byte[]> file(String name, String file) {
    try {
      return Optional.of(
          http.bytes(
              spoken(),
              EngineRequest.of("GET", "/containers/" + path(name) + "/archive?path=" + query(file)),
              QUICK));
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** The output of a container as {@link LogFrames}, from its start on, and on while it runs. */
  public EngineResponse logs(String name, boolean follow) {
    return http.stream(
        spoken(),
        EngineRequest.of(
            "GET", "/containers/" + path(name) + "/logs?stdout=true&stderr=true&follow=" + follow),
        SLOW);
  }

  /** The last that a container printed, for a sentence about why it failed. */
  public String lastWords(String name, int lines) {
    byte[] answer =
        http.bytes(
            spoken(),
            EngineRequest.of(
                "GET", "/containers/" + path(name) + "/logs?stdout=true&stderr=true&tail=" + lines),
            QUICK);
    StringBuilder words = new StringBuilder();
    try {
      LogFrames frames = new LogFrames(new java.io.ByteArrayInputStream(answer));
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
  public EngineResponse events(String label, String value, @Nullable Instant since) {
    String filters =
        filters(
            Map.of(
                "type", List.of("container"),
                "label", List.of(label + "=" + value)));
    String from = since == null ? "" : "&since=" + since.getEpochSecond();
    return http.stream(
        spoken(), EngineRequest.of("GET", "/events?filters=" + filters + from), SLOW);
  }

  /**
   * Runs a command in a container that runs.
   *
   * @param directory empty for the container's own
   * @param end ends the command where it is given up
   */
  public EngineExecution exec(
      String name,
      List<String> command,
      Map<String, String> environment,
      String directory,
      Runnable end) {
    ObjectNode body = EngineJson.object();
    body.put("AttachStdin", true).put("AttachStdout", true).put("AttachStderr", true);
    body.put("Tty", false);
    command.forEach(body.putArray("Cmd")::add);
    ArrayNode variables = body.putArray("Env");
    environment.forEach((key, value) -> variables.add(key + "=" + value));
    if (!directory.isEmpty()) {
      body.put("WorkingDir", directory);
    }
    String id =
        json(
                EngineRequest.of("POST", "/containers/" + path(name) + "/exec")
                    .json(body.toString()),
                QUICK)
            .path("Id")
            .asString("");
    EngineResponse response =
        http.stream(
            spoken(),
            EngineRequest.of("POST", "/exec/" + path(id) + "/start")
                .json("{\"Detach\":false,\"Tty\":false}")
                .with("Connection", "Upgrade")
                .with("Upgrade", "tcp"),
            SLOW);
    return new EngineExecution(response, () -> execState(id), end);
  }

  private EngineExecution.State execState(String id) {
    JsonNode answer = json(EngineRequest.of("GET", "/exec/" + path(id) + "/json"), QUICK);
    return new EngineExecution.State(
        answer.path("Running").asBoolean(false), answer.path("ExitCode").asInt(0));
  }

  /** Reads the lines of a stream, one after the other, to its end. */
  static void lines(InputStream in, Consumer<String> each) throws IOException {
    BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      each.accept(line);
    }
  }

  static String filters(Map<String, List<String>> filters) {
    ObjectNode node = EngineJson.object();
    filters.forEach((name, values) -> values.forEach(node.putArray(name)::add));
    return query(node.toString());
  }

  private static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Slashes and colons of image names stay, as engines want it. */
  static String path(String text) {
    return query(text).replace("%2F", "/").replace("%3A", ":").replace("%40", "@");
  }
}
