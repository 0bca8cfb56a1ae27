package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.JobUsageView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunUsageView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What running jobs use, through the API of a real server. */
@Timeout(180)
class UsageApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  private static JobUsageView measured(RunningServer server, String run) {
    Await.until(
        () -> {
          List<JobUsageView> jobs = server.client().usage(PROJECT, run).jobs();
          return jobs.size() == 1 && jobs.getFirst().at() != null;
        });
    return server.client().usage(PROJECT, run).jobs().getFirst();
  }

  private static boolean used(@Nullable Double seconds) {
    return seconds != null && seconds > 0;
  }

  private static String metrics(RunningServer server) {
    try {
      return server.request("GET", "/metrics", null, true).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static double value(String page, String series) {
    var matcher =
        Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE).matcher(page);
    assertThat(matcher.find()).as(series + " in\n" + page).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  private static RunRequest at(String backend, String name) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, "sleep 3600").configuration());
    configuration.put("backends", List.of(backend));
    return new RunRequest(name, configuration);
  }

  @Test
  void aProcessOfThisMachineIsMeasuredAsLongAsItRuns() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      server.submit(RunningServer.task("computing", "while :; do :; done"));
      // It is measured for the first time before it has used anything.
      Await.until(() -> used(measured(server, "computing").processorSeconds()));
      JobUsageView job = measured(server, "computing");
      assertThat(job.node()).isZero();
      assertThat(job.backend()).isEqualTo("local");
      assertThat(job.processorSeconds()).isPositive();
      assertThat(job.memoryBytes()).isPositive();
      assertThat(job.message()).isNull();
      String page = metrics(server);
      String labels = "{node=\"0\",project=\"main\",run=\"computing\"}";
      assertThat(value(page, "berth_job_processor_seconds_total" + labels)).isPositive();
      assertThat(value(page, "berth_job_memory_bytes" + labels)).isPositive();
      server.client().stop(PROJECT, "computing", true);
      server.outputOf("computing");
      RunUsageView ended = server.client().usage(PROJECT, "computing");
      assertThat(ended.status()).isEqualTo("terminated");
      assertThat(ended.jobs()).isEmpty();
      // Others hear of an end after it was written down.
      Await.until(() -> !metrics(server).contains("computing"));
    }
  }

  @Test
  void aJobThatBerthRunsOnAMachineIsMeasured() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      server
          .client()
          .addBackend(
              PROJECT,
              new BackendRequest(
                  "machines",
                  "sim",
                  Map.of(
                      "gives",
                      "machines",
                      "jobs",
                      "berth",
                      "scenario",
                      Map.of("boot_time", "100ms", "delete_time", "100ms"))));
      server.submit(at("machines", "on-machine"));
      assertThat(measured(server, "on-machine"))
          .returns("machines", JobUsageView::backend)
          .returns(null, JobUsageView::message)
          .satisfies(job -> assertThat(job.memoryBytes()).isPositive());
      server.client().stop(PROJECT, "on-machine", true);
      server.outputOf("on-machine");
    }
  }

  @Test
  void processorsAreKnownAfterTheSecondLook() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(PROJECT, new BackendRequest("cloud", "sim", Map.of()));
      server.submit(at("cloud", "simulated"));
      measured(server, "simulated");
      Await.until(
          () -> server.client().usage(PROJECT, "simulated").jobs().getFirst().processors() != null);
      assertThat(
              Objects.requireNonNull(
                  server.client().usage(PROJECT, "simulated").jobs().getFirst().processors()))
          .as("the cloud says that a job keeps one processor busy")
          .isBetween(0.99, 1.01);
    }
  }

  @Test
  void aBackendThatDoesNotTellIsNamed() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      server
          .client()
          .addBackend(
              PROJECT, new BackendRequest("mute", "sim", Map.of("without", List.of("usage"))));
      server.submit(at("mute", "silent"));
      Await.until(() -> !server.client().usage(PROJECT, "silent").jobs().isEmpty());
      assertThat(server.client().usage(PROJECT, "silent").jobs().getFirst())
          .returns("the backend 'mute' does not report what jobs use", JobUsageView::message)
          .returns(null, JobUsageView::memoryBytes);
    }
  }

  @Test
  void openMetricsHaveNoNamesOfRunsUnlessTheFileSaysSo() throws Exception {
    for (boolean wanted : new boolean[] {false, true}) {
      Path own = Files.createDirectories(home.resolve(String.valueOf(wanted)));
      Files.writeString(
          own.resolve("server.yml"),
          "metrics:\n  without-token: true\n" + (wanted ? "  jobs: true\n" : ""));
      try (RunningServer server = new RunningServer(own)) {
        server.submit(RunningServer.task("named-run", "sleep 3600"));
        measured(server, "named-run");
        assertThat(metrics(server).contains("named-run")).isEqualTo(wanted);
        server.client().stop(PROJECT, "named-run", true);
        server.outputOf("named-run");
      }
    }
  }
}
