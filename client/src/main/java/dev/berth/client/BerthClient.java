package dev.berth.client;

import dev.berth.client.Transport.Answer;
import dev.berth.client.Transport.Request;
import dev.berth.model.ArchiveManifest;
import dev.berth.model.api.BackendList;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendSuggestions;
import dev.berth.model.api.BackendTypeList;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.EventList;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FleetDetail;
import dev.berth.model.api.FleetList;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.HealthView;
import dev.berth.model.api.InfoView;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.ProblemView;
import dev.berth.model.api.ReadyView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunProgressView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunUsageView;
import dev.berth.model.api.RunView;
import dev.berth.model.api.StopRequest;
import dev.berth.model.api.UploadChunk;
import dev.berth.model.api.UploadRequest;
import dev.berth.model.api.UploadView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.net.http.WebSocketHandshakeException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Calls a server. Every call blocks until it is answered; safe for any thread. */
public final class BerthClient implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

  /** How long a chunk may take, on a slow line. */
  private static final Duration CHUNK_WITHIN = Duration.ofMinutes(10);

  /**
   * What a socket takes at once, with room to spare: writing to one has no limit of time, so larger
   * bodies take the way of the JDK's client.
   */
  private static final int SMALL_BODY = 64 * 1024;

  private static final Pattern LOOPBACK =
      Pattern.compile("http://(localhost|127(?:\\.[0-9]{1,3}){3}):([0-9]{1,5})");

  private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*([0-9]{1,18})\\b");

  private static final String API = "/api/v1";

  private final String base;
  private final String token;

  /** The short way to a server on this machine; null to others. */
  private final @Nullable Transport loopback;

  private final JdkTransport jdk;

  /**
   * A client of a server.
   *
   * @param token empty for who has none, and asks for what is open to all
   */
  public BerthClient(String url, String token) {
    String origin = url.replaceFirst("/+$", "");
    this.base = origin + API;
    this.token = token;
    Matcher local = LOOPBACK.matcher(origin);
    this.loopback =
        local.matches()
            ? new LoopbackTransport(local.group(1), Integer.parseInt(local.group(2)))
            : null;
    this.jdk = new JdkTransport(origin);
  }

  public HealthView health() {
    return call("GET", "/health", null, null, HealthView.class);
  }

  /** Whether requests should be sent to the server; fails with 503 where not. */
  public ReadyView ready() {
    return call("GET", "/ready", null, null, ReadyView.class);
  }

  /** What may be wrong with the server, for a global admin. */
  public DoctorView doctor() {
    return call("GET", "/doctor", null, null, DoctorView.class);
  }

  public InfoView info() {
    return call("GET", "/info", null, null, InfoView.class);
  }

  /**
   * Whether the server is the process of this number. Reads no more of the answer than that: every
   * command asks, and making an object of it takes longer than the call.
   */
  public boolean isProcess(long pid) {
    Matcher found = PID.matcher(text(send(request("GET", "/info", null, null))));
    return found.find() && Long.parseLong(found.group(1)) == pid;
  }

  /** The calls about users, projects, members and tokens. */
  public AccessClient access() {
    return new AccessClient(this);
  }

  public PlanView plan(String project, RunRequest request) {
    return call("POST", runs(project) + "/plan", request, null, PlanView.class);
  }

  /** Submits a run; repeated with the same key it takes effect once. */
  public RunView submit(String project, RunRequest request, String idempotencyKey) {
    return call("POST", runs(project), request, idempotencyKey, RunView.class);
  }

  /** Asks which chunks of an archive are missing; the server keeps it where none is. */
  public UploadView nameUpload(String project, ArchiveManifest manifest) {
    UploadRequest request =
        new UploadRequest(
            manifest.chunks().stream()
                .map(chunk -> new UploadChunk(chunk.digest(), chunk.size()))
                .toList());
    return call("POST", uploads(project), request, null, UploadView.class);
  }

  /** Sends one chunk; may be repeated. */
  public UploadChunk putChunk(String project, String digest, byte[] bytes) {
    Map<String, String> headers = headers(null);
    headers.put("Content-Type", "application/octet-stream");
    String path = uploads(project) + "/chunks/" + encoded(digest);
    return read(
        text(send(new Request("PUT", API + path, headers, bytes, CHUNK_WITHIN))),
        UploadChunk.class);
  }

  private static String uploads(String project) {
    return "/projects/" + encoded(project) + "/uploads";
  }

  public RunList list(String project, boolean all, int limit, @Nullable String cursor) {
    String query =
        "?all=" + all + "&limit=" + limit + (cursor == null ? "" : "&cursor=" + encoded(cursor));
    return call("GET", runs(project) + query, null, null, RunList.class);
  }

  public RunDetail get(String project, String run) {
    return call("GET", runs(project) + "/" + encoded(run), null, null, RunDetail.class);
  }

  public RunView stop(String project, String run, boolean abort) {
    return call(
        "POST",
        runs(project) + "/" + encoded(run) + "/stop",
        new StopRequest(abort),
        null,
        RunView.class);
  }

  public RunView delete(String project, String run) {
    return call("DELETE", runs(project) + "/" + encoded(run), null, null, RunView.class);
  }

  /** Why a run has no place, or where it is, and what would help. */
  public ExplainView explain(String project, String run) {
    return call(
        "GET", runs(project) + "/" + encoded(run) + "/explain", null, null, ExplainView.class);
  }

  /** The same of a run that is not submitted. */
  public ExplainView explain(String project, RunRequest request) {
    return call("POST", runs(project) + "/explain", request, null, ExplainView.class);
  }

  /** What the running jobs of a run use. */
  public RunUsageView usage(String project, String run) {
    return call(
        "GET", runs(project) + "/" + encoded(run) + "/usage", null, null, RunUsageView.class);
  }

  /** How far those jobs of a run are that do not run yet, and what its jobs do without. */
  public RunProgressView progress(String project, String run) {
    return call(
        "GET", runs(project) + "/" + encoded(run) + "/progress", null, null, RunProgressView.class);
  }

  public FleetList fleets(String project) {
    return call("GET", fleetsOf(project), null, null, FleetList.class);
  }

  public FleetDetail fleet(String project, String name) {
    return call("GET", fleetsOf(project) + "/" + encoded(name), null, null, FleetDetail.class);
  }

  public FleetPlanView planFleet(String project, FleetRequest request) {
    return call("POST", fleetsOf(project) + "/plan", request, null, FleetPlanView.class);
  }

  /** Makes or changes a fleet; repeated with the same key it takes effect once. */
  public FleetView applyFleet(String project, FleetRequest request, String idempotencyKey) {
    return call("POST", fleetsOf(project), request, idempotencyKey, FleetView.class);
  }

  public FleetView deleteFleet(String project, String name) {
    return call("DELETE", fleetsOf(project) + "/" + encoded(name), null, null, FleetView.class);
  }

  private static String fleetsOf(String project) {
    return "/projects/" + encoded(project) + "/fleets";
  }

  /** The offers of the project's backends, the cheapest first. */
  public OfferList offers(String project, OfferRequest request) {
    return call(
        "POST", "/projects/" + encoded(project) + "/offers", request, null, OfferList.class);
  }

  public BackendTypeList backendTypes() {
    return call("GET", "/backend-types", null, null, BackendTypeList.class);
  }

  public BackendList backends(String project) {
    return call("GET", backendsOf(project), null, null, BackendList.class);
  }

  /** Adds a backend; what is there already in the same shape is no mistake. */
  public BackendView addBackend(String project, BackendRequest request) {
    return call("POST", backendsOf(project), request, null, BackendView.class);
  }

  public BackendSuggestions suggestBackend(String project, BackendRequest request) {
    return call("POST", backendsOf(project) + "/suggest", request, null, BackendSuggestions.class);
  }

  public BackendView checkBackend(String project, String name) {
    return call(
        "POST",
        backendsOf(project) + "/" + encoded(name) + "/check",
        null,
        null,
        BackendView.class);
  }

  /** Removes a backend; to forget it is not to ask its provider. */
  public BackendView removeBackend(String project, String name, boolean forget) {
    return call(
        "DELETE",
        backendsOf(project) + "/" + encoded(name) + "?forget=" + forget,
        null,
        null,
        BackendView.class);
  }

  private static String backendsOf(String project) {
    return "/projects/" + encoded(project) + "/backends";
  }

  public EventList events(String project, long after, int limit, int waitSeconds) {
    return eventsAt("/projects/" + encoded(project), after, limit, waitSeconds);
  }

  /** Events of the whole installation. */
  public EventList allEvents(long after, int limit, int waitSeconds) {
    return eventsAt("", after, limit, waitSeconds);
  }

  private EventList eventsAt(String path, long after, int limit, int waitSeconds) {
    return call(
        "GET",
        path + "/events?after=" + after + "&limit=" + limit + "&wait=" + waitSeconds,
        null,
        null,
        EventList.class);
  }

  /**
   * Whose output is meant.
   *
   * @param node from 0
   * @param attempt from 1; 0 for the newest
   */
  public record Source(int node, int attempt) {
    /** The newest attempt of the first node. */
    public static final Source FIRST_NODE = new Source(0, 0);
  }

  /** A range of a run's output. */
  public Range log(String project, String run, Source source, String stream, long offset) {
    String path =
        runs(project)
            + "/"
            + encoded(run)
            + "/logs/"
            + stream
            + "?offset="
            + offset
            + "&node="
            + source.node()
            + "&attempt="
            + source.attempt();
    try (Answer answer = send(request("GET", path, null, null))) {
      byte[] bytes = answer.body().readAllBytes();
      if (answer.status() != 200) {
        throw refusal(answer.status(), new String(bytes, StandardCharsets.UTF_8));
      }
      String next = answer.header("Berth-Next-Offset");
      return new Range(
          bytes,
          next == null ? offset : Long.parseLong(next),
          "true".equals(answer.header("Berth-Ended")));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /**
   * A piece of a run's output.
   *
   * @param ended whether no byte will follow
   */
  @SuppressWarnings("ArrayRecordComponent") // output is bytes; it is handed on, never compared
  public record Range(byte[] bytes, long nextOffset, boolean ended) {}

  /** Who gets a run's output as it comes. */
  public interface Follower {
    void stdout(byte[] bytes);

    void stderr(byte[] bytes);

    /** What comes now is of this attempt. */
    default void attempt(int number) {}
  }

  /**
   * Follows the output of a node of a run until the run has ended, one attempt after the other.
   *
   * @param position where to go on, and where we are when this throws
   * @return the run at its end
   * @throws ClientException when the connection breaks; call again with the same position
   */
  public RunView follow(
      String project, String run, int node, Position position, Follower follower) {
    String path = runs(project) + "/" + encoded(run) + "/follow?node=" + node;
    Map<String, String> headers = headers(null);
    if (!position.id.isEmpty()) {
      headers.put("Last-Event-ID", position.id);
    }
    try (Answer answer = send(new Request("GET", API + path, headers, new byte[0], null))) {
      if (answer.status() != 200) {
        byte[] bytes = answer.body().readAllBytes();
        throw refusal(answer.status(), new String(bytes, StandardCharsets.UTF_8));
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      RunView end = read(lines, position, follower);
      if (end != null) {
        return end;
      }
    } catch (IOException e) {
      throw new ClientException(0, "the connection to the server broke", List.of(), e);
    }
    throw new ClientException(0, "the connection to the server ended", List.of(), null);
  }

  /**
   * Runs a command inside of a running job. Whoever calls closes it.
   *
   * @param command its words, of which the first is the program
   */
  public JobStream exec(
      String project,
      String run,
      Source source,
      List<String> command,
      JobStream.Receiver receiver) {
    StringBuilder query = new StringBuilder(query(source));
    command.forEach(word -> query.append("&command=").append(encoded(word)));
    return stream(runs(project) + "/" + encoded(run) + "/exec" + query, receiver);
  }

  /** Connects with a port of a running job. Whoever calls closes it. */
  public JobStream connect(
      String project, String run, Source source, int port, JobStream.Receiver receiver) {
    return stream(
        runs(project) + "/" + encoded(run) + "/connect/" + port + query(source), receiver);
  }

  private static String query(Source source) {
    return "?node=" + source.node() + "&attempt=" + source.attempt();
  }

  private JobStream stream(String path, JobStream.Receiver receiver) {
    JobStream stream = new JobStream(receiver);
    try {
      stream.opened(
          jdk.http()
              .newWebSocketBuilder()
              .header("Authorization", "Bearer " + token)
              .connectTimeout(ANSWER_WITHIN)
              .buildAsync(URI.create(base.replaceFirst("^http", "ws") + path), stream.listener())
              .join());
      return stream;
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        HttpResponse<?> response = refused.getResponse();
        throw refusal(response.statusCode(), String.valueOf(response.body()));
      }
      throw unreachable(e.getCause() == null ? e : e.getCause());
    }
  }

  static <T> T read(String json, Class<T> type) {
    return AnswerReader.read(json, type);
  }

  /** How much was delivered, in the server's words. Used by one thread. */
  public static final class Position {
    private String id = "";
  }

  private static @Nullable RunView read(BufferedReader lines, Position position, Follower follower)
      throws IOException {
    String event = "";
    String id = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        event = line.substring(7);
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("data: ")) {
        String data = line.substring(6);
        switch (event) {
          case "stdout" -> follower.stdout(Base64.getDecoder().decode(data));
          case "stderr" -> follower.stderr(Base64.getDecoder().decode(data));
          case "attempt" -> follower.attempt(Integer.parseInt(data));
          case "end" -> {
            return read(data, RunView.class);
          }
          default -> {}
        }
        position.id = id;
      }
    }
    return null;
  }

  <T> T call(
      String method,
      String path,
      @Nullable Object body,
      @Nullable String idempotencyKey,
      Class<T> type) {
    return read(text(send(request(method, path, body, idempotencyKey))), type);
  }

  /** The whole of a good answer. */
  private String text(Answer answer) {
    try (answer) {
      String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
      if (answer.status() >= 300) {
        throw refusal(answer.status(), text);
      }
      return text;
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private Request request(
      String method, String path, @Nullable Object body, @Nullable String idempotencyKey) {
    byte[] bytes = body == null ? new byte[0] : RequestWriter.write(body);
    return new Request(method, API + path, headers(idempotencyKey), bytes, ANSWER_WITHIN);
  }

  private Map<String, String> headers(@Nullable String idempotencyKey) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    if (!token.isEmpty()) {
      headers.put("Authorization", "Bearer " + token);
    }
    if (idempotencyKey != null) {
      headers.put("Idempotency-Key", idempotencyKey);
    }
    return headers;
  }

  private Answer send(Request request) {
    Transport way = loopback == null || request.body().length > SMALL_BODY ? jdk : loopback;
    try {
      return way.send(request);
    } catch (ClosedByInterruptException e) {
      throw new ClientException(0, "the call was interrupted", List.of(), e);
    } catch (IOException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClientException(0, "the call was interrupted", List.of(), e);
    }
  }

  private ClientException unreachable(Throwable e) {
    return new ClientException(
        0,
        "no server answers at "
            + base
            + ": "
            + (e instanceof ConnectException ? "the connection was refused" : e.toString()),
        List.of(),
        e);
  }

  private static ClientException refusal(int status, String body) {
    try {
      ProblemView problem = read(body, ProblemView.class);
      return new ClientException(status, problem.detail(), problem.errors(), null);
    } catch (MalformedAnswerException e) {
      return new ClientException(status, "the server answered " + status, List.of(), e);
    }
  }

  private static String runs(String project) {
    return "/projects/" + encoded(project) + "/runs";
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() {
    if (loopback != null) {
      loopback.close();
    }
    jdk.close();
  }
}
