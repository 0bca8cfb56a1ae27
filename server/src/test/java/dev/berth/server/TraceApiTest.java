package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.AttemptView;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of a real server at a collector that speaks OTLP. */
class TraceApiTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String SUBMIT = "POST /api/v1/projects/{project}/runs";

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private Collector collector;

  @BeforeEach
  void listen() throws IOException {
    collector = new Collector();
    declare("");
  }

  @AfterEach
  void stop() {
    collector.close();
  }

  private void declare(String more) throws IOException {
    Files.writeString(
        home.resolve("server.yml"), "traces:\n  endpoint: " + collector.url() + "\n" + more);
  }

  private static long nanos(@Nullable Instant at) {
    Objects.requireNonNull(at);
    return at.getEpochSecond() * 1_000_000_000L + at.getNano();
  }

  private static long metric(RunningServer running, String name) throws Exception {
    return running
        .request("GET", "/metrics", null, true)
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static List<AttemptView> attempts(RunningServer running, String run) {
    return running.client().get(RunningServer.PROJECT, run).attempts();
  }

  @Test
  void theLifeOfARunIsATraceBelowTheRequestThatSubmittedIt() throws Exception {
    AttemptView attempt;
    RunView run;
    try (RunningServer running = new RunningServer(home)) {
      run = running.submit(RunningServer.task("traced", "echo hello"));
      running.outputOf("traced");
      attempt = attempts(running, "traced").getFirst();
      collector.await(SUBMIT, "run", "start_job");
    }
    Collector.Heard request = collector.one(SUBMIT);
    Collector.Heard life = collector.one("run");
    Collector.Heard tried = collector.one("attempt");
    assertThat(request.parent()).isEmpty();
    assertThat(request.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
    assertThat(request.attribute("http.route")).isEqualTo("/api/v1/projects/{project}/runs");
    assertThat(request.attribute("http.response.status_code")).isEqualTo("201");
    assertThat(request.span().getEventsList())
        .extracting(event -> event.getName())
        .containsExactly("in line to be decided", "decided and committed");
    assertThat(life.parent()).isEqualTo(request.id());
    assertThat(life.trace()).isEqualTo(request.trace());
    assertThat(life.attribute("berth.run.id")).isEqualTo(run.id());
    assertThat(life.attribute("berth.status")).isEqualTo("done");
    assertThat(tried.parent()).isEqualTo(life.id());
    assertThat(tried.attribute("berth.backend")).isEqualTo("local");
    assertThat(tried.attribute("berth.exit_code")).isEqualTo("0");
    for (String part : List.of("queue", "provision", "execute", "start_job")) {
      assertThat(collector.one(part).parent()).as(part).isEqualTo(tried.id());
      assertThat(collector.one(part).trace()).as(part).isEqualTo(request.trace());
    }
    assertThat(collector.one("start_job").attribute("berth.result")).isEqualTo("done");
    assertThat(collector.one("start_job").span().getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
    // The times are those that the server tells everybody.
    assertThat(tried.span().getStartTimeUnixNano()).isEqualTo(nanos(attempt.submittedAt()));
    assertThat(tried.span().getEndTimeUnixNano()).isEqualTo(nanos(attempt.finishedAt()));
    assertThat(collector.one("execute").span().getStartTimeUnixNano())
        .isEqualTo(collector.one("provision").span().getEndTimeUnixNano());
    assertThat(collector.one("queue").span().getEndTimeUnixNano())
        .isEqualTo(collector.one("provision").span().getStartTimeUnixNano());
    assertThat(collector.heard()).extracting(Collector.Heard::id).doesNotHaveDuplicates();
  }

  @Test
  void theSendersTraceIsGoneOnWithAndARunFollowsIt() throws Exception {
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      String token = Files.readString(home.resolve("token")).strip();
      for (String header :
          List.of(
              "00-" + TRACE + "-" + CALLER + "-01",
              // Somebody decided that this one is not wanted.
              "00-" + TRACE.replace('4', '5') + "-" + CALLER + "-00",
              "00-" + "0".repeat(32) + "-" + CALLER + "-01")) {
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create(running.server().url() + "/api/v1/projects/main/runs"))
                .header("Authorization", "Bearer " + token)
                .header("traceparent", header)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        ApiJson.MAPPER.writeValueAsString(
                            RunningServer.task("run-" + header.charAt(3), "true"))))
                .build();
        assertThat(sender.send(request).status()).isEqualTo(201);
        running.outputOf("run-" + header.charAt(3));
      }
      Await.until(() -> collector.named("run").size() >= 2);
    }
    List<Collector.Heard> submits = collector.named(SUBMIT);
    assertThat(submits).hasSize(2);
    assertThat(submits.getFirst().trace()).isEqualTo(TRACE);
    assertThat(submits.getFirst().parent()).isEqualTo(CALLER);
    // A header that is wrong counts as none.
    assertThat(submits.getLast().parent()).isEmpty();
    assertThat(collector.named("run"))
        .extracting(life -> life.attribute("berth.run.name"))
        .containsExactlyInAnyOrder("run-4", "run-0");
    assertThat(collector.named("run").getFirst().trace()).isEqualTo(TRACE);
  }

  @Test
  void aRunThatEndsAfterARestartHasTheTraceThatItBeganWith() throws Exception {
    Path go = home.resolve("go");
    AttemptView attempt;
    try (RunningServer running = new RunningServer(home)) {
      running.submit(RunningServer.task("long", "until [ -e " + go + " ]; do sleep 0.05; done"));
      Await.until(() -> attempts(running, "long").getFirst().status().equals("running"));
      collector.await(SUBMIT, "start_job");
    }
    assertThat(collector.named("run")).isEmpty();
    Collector.Heard request = collector.one(SUBMIT);
    Collector.Heard start = collector.one("start_job");
    try (RunningServer running = new RunningServer(home)) {
      Files.createFile(go);
      running.outputOf("long");
      attempt = attempts(running, "long").getFirst();
      collector.await("run");
    }
    Collector.Heard life = collector.one("run");
    Collector.Heard tried = collector.one("attempt");
    assertThat(life.trace()).isEqualTo(request.trace());
    assertThat(life.parent()).isEqualTo(request.id());
    // The call was shown by the first server, below a span that the second one sent.
    assertThat(start.parent()).isEqualTo(tried.id());
    assertThat(collector.one("provision").parent()).isEqualTo(tried.id());
    assertThat(tried.span().getStartTimeUnixNano()).isEqualTo(nanos(attempt.submittedAt()));
    assertThat(tried.span().getEndTimeUnixNano()).isEqualTo(nanos(attempt.finishedAt()));
    assertThat(collector.one("execute").span().getStartTimeUnixNano())
        .isEqualTo(nanos(attempt.startedAt()));
  }

  @Test
  void withoutACollectorRunsGoOnAndLostSpansAreCounted() throws Exception {
    int port = collector.port();
    collector.close();
    try (Socket _ = kept(port);
        RunningServer running = new RunningServer(home)) {
      running.submit(RunningServer.task("alone", "echo hello"));
      assertThat(running.outputOf("alone")).asString().isEqualTo("hello\n");
      Await.until(() -> lost(running) > 0);
      // Whatever comes when it is back is taken.
      collector = new Collector(port);
      Await.until(
          () -> {
            running.client().ready();
            return !collector.named("GET /api/v1/ready").isEmpty();
          });
    }
  }

  /** Keeps a port at which nobody listens for who will listen there, and from everybody else. */
  private static Socket kept(int port) throws IOException {
    Socket bound = new Socket();
    bound.setReuseAddress(true);
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return bound;
  }

  private static long lost(RunningServer running) {
    try {
      return metric(running, "berth_trace_spans_dropped_total");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingSecretIsInATraceAndCredentialsGoToTheCollectorOnly() throws Exception {
    Files.writeString(home.resolve("otlp.headers"), "Authorization: Bearer canary-of-headers\n");
    declare("  headers-file: otlp.headers\n");
    try (RunningServer running = new RunningServer(home)) {
      running.request(
          "PUT", "/api/v1/projects/main/secrets/word", "{\"value\": \"canary-of-secret\"}", true);
      running.submit(RunningServer.task("quiet", "echo canary-of-command", "false"));
      running.outputOf("quiet");
      running.request("GET", "/api/v1/canary-of-path", null, true);
      running.request("GET", "/api/v1/projects/main/runs?limit=canary-of-query", null, true);
      collector.await("run", "GET");
    }
    assertThat(collector.authorizations()).isNotEmpty().containsOnly("Bearer canary-of-headers");
    String token = Files.readString(home.resolve("token")).strip();
    assertThat(collector.text()).contains("berth.run.id").doesNotContain("canary", token);
    assertThat(collector.one("run").span().getStatus().getCodeValue()).isEqualTo(2);
    assertThat(collector.named("GET"))
        .extracting(span -> span.attribute("http.response.status_code"))
        .contains("404");
  }

  @Test
  void theSampleIsWhatIsSentAndTheEnvironmentComesFirst() throws Exception {
    declare("  sample: 0\n");
    try (RunningServer running = new RunningServer(home)) {
      running.submit(RunningServer.task("unseen", "true"));
      running.outputOf("unseen");
    }
    assertThat(collector.heard()).isEmpty();
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            collector.url() + "/",
            "OTEL_EXPORTER_OTLP_HEADERS",
            "authorization=Basic%20word,x-team=one",
            "OTEL_TRACES_SAMPLER_ARG",
            "1.0",
            "OTEL_SERVICE_NAME",
            "berth-of-the-lab");
    try (RunningServer running = new RunningServer(home, environment, (_, _) -> {})) {
      running.client().ready();
    }
    // The orderly stop has sent it.
    assertThat(collector.one("GET /api/v1/ready").attribute("http.request.method"))
        .isEqualTo("GET");
    assertThat(collector.text()).contains("berth-of-the-lab", "service.version");
    assertThat(collector.authorizations()).containsOnly("Basic word");
  }

  @Test
  void whatCannotBeUsedKeepsTheServerFromStartingAndIsNotPrinted() throws Exception {
    declare("  headers-file: nowhere\n");
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageContaining("traces.headers-file: the file cannot be read");
    Files.writeString(home.resolve("nowhere"), "canary-of-headers\n");
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageContaining("header 1 is wrong")
        .hasMessageNotContaining("canary");
    declare("  sample: 7\n");
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageContaining("server.yml:3:11")
        .hasMessageContaining("traces.sample");
    Map<String, String> wrong =
        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://ann:canary@collector:4318");
    assertThatThrownBy(() -> new RunningServer(home, wrong, (_, _) -> {}).close())
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageNotContaining("canary");
  }

  @Test
  void aMachineThatIsBoughtForARunIsPartOfItsTrace() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      running
          .client()
          .addBackend(
              RunningServer.PROJECT,
              new BackendRequest("cloud", "sim", Map.of("state", "memory", "gives", "machines")));
      Map<String, @Nullable Object> configuration =
          new LinkedHashMap<>(RunningServer.task("bought", "true").configuration());
      configuration.put("backends", List.of("cloud"));
      running.submit(new RunRequest("bought", configuration));
      Await.until(
          () -> running.client().get(RunningServer.PROJECT, "bought").run().finishedAt() != null);
      collector.await(SUBMIT, "create", "run");
    }
    Collector.Heard create = collector.one("create");
    assertThat(create.parent()).isEqualTo(collector.one("run").id());
    assertThat(create.trace()).isEqualTo(collector.one(SUBMIT).trace());
    assertThat(create.attribute("berth.backend")).isEqualTo("cloud");
    assertThat(create.attribute("berth.resource.type")).isEqualTo("instance");
  }
}
