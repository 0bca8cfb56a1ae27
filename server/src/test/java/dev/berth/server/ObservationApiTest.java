package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees who watches a server from outside. */
class ObservationApiTest {
  @TempDir Path home = Path.of("");

  private static String metrics(RunningServer running) throws IOException, InterruptedException {
    HttpResponse<String> answer = running.request("GET", "/metrics", null, true);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static double value(String page, String series) {
    var matcher =
        Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE).matcher(page);
    assertThat(matcher.find()).as(series + " in\n" + page).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  private static boolean holds(RunningServer running, String... lines) {
    return read(running).lines().toList().containsAll(List.of(lines));
  }

  private static String read(RunningServer running) {
    try {
      return metrics(running);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRunLeavesItsFiguresAndNoNameOfItsOwn() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      RunView run = running.submit(RunningServer.task("measured-run", "echo hello"));
      assertThat(running.outputOf("measured-run"))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("hello\n");
      // What is told of an end, and of a call, is told after it.
      Await.until(
          () ->
              holds(
                  running,
                  "berth_mailbox_messages 0.0",
                  "berth_provision_seconds_count{backend=\"local\",what=\"job\"} 1",
                  "berth_backend_call_seconds_count{backend=\"local\",operation=\"start_job\","
                      + "result=\"done\"} 1"));
      String page = metrics(running);
      assertThat(value(page, "berth_queue_wait_seconds_count")).isEqualTo(1);
      assertThat(value(page, "berth_provision_seconds_count{backend=\"local\",what=\"job\"}"))
          .isEqualTo(1);
      assertThat(value(page, "berth_commit_seconds_count{result=\"kept\"}")).isPositive();
      assertThat(value(page, "berth_commit_seconds_count{result=\"stale\"}")).isZero();
      assertThat(
              value(
                  page,
                  "berth_backend_call_seconds_count{backend=\"local\",operation=\"start_job\","
                      + "result=\"done\"}"))
          .isEqualTo(1);
      assertThat(value(page, "berth_resources_in_doubt")).isZero();
      assertThat(value(page, "berth_log_served_bytes_total")).isEqualTo(6);
      assertThat(
              value(
                  page,
                  "berth_http_request_seconds_count{method=\"POST\","
                      + "route=\"/projects/{project}/runs\",status=\"201\"}"))
          .isEqualTo(1);
      assertThat(value(page, "jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
      assertThat(page).contains("berth_loop_lag_seconds_bucket", "berth_loop_batch_messages_count");
      assertThat(page).doesNotContain("measured-run", run.id());
    }
  }

  @Test
  void callsToAProviderAreCountedByKind() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      running
          .client()
          .addBackend(RunningServer.PROJECT, new BackendRequest("cloud", "sim", Map.of()));
      String reads =
          "berth_provider_calls_total{backend=\"cloud@%s\",kind=\"read\"}"
              .formatted(RunningServer.PROJECT);
      // What stands there of ours is looked for at once.
      Await.until(() -> read(running).contains(reads));
      assertThat(value(metrics(running), reads)).isPositive();
    }
  }

  @Test
  void pathsThatAreNoRoutesMakeNoNewSeries() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      running.request("GET", "/api/v1/secret-path-1", null, true);
      running.request("GET", "/secret-path-2", null, true);
      String page = metrics(running);
      assertThat(page).doesNotContain("secret-path");
      assertThat(
              value(
                  page,
                  "berth_http_request_seconds_count{method=\"other\",route=\"other\","
                      + "status=\"404\"}"))
          .isEqualTo(2);
    }
  }

  @Test
  void metricsAreForGlobalAdminsAndFailedLoginsAreCounted() throws Exception {
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.3")) {
      String user = new People(running).user("ann", "user");
      assertThat(running.request("GET", "/metrics", null, false).statusCode()).isEqualTo(401);
      assertThat(sender.send("GET", "/metrics", null, user).status()).isEqualTo(403);
      assertThat(sender.send("GET", "/metrics", null, "wrong").status()).isEqualTo(401);
      assertThat(value(metrics(running), "berth_failed_logins_total")).isEqualTo(1);
    }
  }

  @Test
  void theFileOpensMetricsToAllAndOpenMetricsIsSpokenWhereItIsAskedFor() throws Exception {
    Files.writeString(home.resolve("server.yml"), "metrics:\n  without-token: true\n");
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      HttpResponse<String> plain = running.request("GET", "/metrics", null, false);
      assertThat(plain.statusCode()).isEqualTo(200);
      assertThat(plain.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
      HttpRequest open =
          HttpRequest.newBuilder(URI.create(running.server().url() + "/api/v1/metrics"))
              .header("Accept", "application/openmetrics-text; version=1.0.0")
              .build();
      Sender.Answer answer = sender.send(open);
      assertThat(answer.response().headers().firstValue("Content-Type").orElseThrow())
          .startsWith("application/openmetrics-text");
      assertThat(answer.body()).endsWith("# EOF\n");
    }
  }

  @Test
  void aServerThatWorksIsReadyForAnybody() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      HttpResponse<String> ready = running.request("GET", "/api/v1/ready", null, false);
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.body()).isEqualTo("{\"status\":\"ready\"}");
      assertThat(running.client().ready().status()).isEqualTo("ready");
    }
  }

  @Test
  void aSaneRequestIdIsKeptAndAnyOtherReplaced() throws Exception {
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      for (String given : List.of("trace-7.A_b", "no spaces please", "x".repeat(65))) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(running.server().url() + "/api/v1/nowhere"))
                .header(RequestIds.HEADER, given)
                .build();
        Sender.Answer answer = sender.send(request);
        String id = answer.response().headers().firstValue(RequestIds.HEADER).orElseThrow();
        assertThat(answer.json().get("request_id").asString()).isEqualTo(id);
        if (given.equals("trace-7.A_b")) {
          assertThat(id).isEqualTo(given);
        } else {
          assertThat(id).matches("[0-9a-f]{16}");
        }
      }
    }
  }

  @Test
  void theDoctorLooksAtEveryPartOfAHealthyServer() throws Exception {
    try (RunningServer running = new RunningServer(home)) {
      DoctorView view = running.client().doctor();
      assertThat(view.checks())
          .extracting(DoctorView.Check::part)
          .contains("storage", "disk", "loop", "backend local", "catalog", "doubt", "sweeping");
      assertThat(view.checks())
          .filteredOn(check -> !check.part().equals("disk"))
          .allSatisfy(check -> assertThat(check.state()).as(check.sentence()).isEqualTo("ok"));
    }
  }

  @Test
  void theDoctorNamesABackendThatDoesNotOpenAndSaysWhatToDo() throws Exception {
    Files.writeString(
        home.resolve("server.yml"),
        "projects:\n  - name: main\n    backends:\n      - type: nosuchcloud\n");
    try (RunningServer running = new RunningServer(home)) {
      Await.until(() -> running.client().doctor().checks().stream().anyMatch(this::isBroken));
    }
  }

  private boolean isBroken(DoctorView.Check check) {
    return check.part().equals("backend nosuchcloud of main")
        && check.state().equals("fail")
        && String.valueOf(check.remedy()).contains("berth backend check");
  }
}
