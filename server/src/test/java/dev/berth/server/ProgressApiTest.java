package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.JobProgressView;
import dev.berth.model.api.RunProgressView;
import dev.berth.model.api.RunRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How far the start of a run is, through the API of a real server. */
@Timeout(180)
class ProgressApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  private static void submit(RunningServer server, Map<String, @Nullable Object> scenario) {
    server
        .client()
        .addBackend(PROJECT, new BackendRequest("cloud", "sim", Map.of("scenario", scenario)));
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task("train", "sleep 3600").configuration());
    configuration.put("backends", List.of("cloud"));
    server.submit(new RunRequest("train", configuration));
  }

  private static RunProgressView progress(RunningServer server) {
    return server.client().progress(PROJECT, "train");
  }

  @Test
  void aJobThatDoesNotRunYetIsShownInTheWordsOfItsBackend() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      submit(server, Map.of("boot_time", "1h"));
      // What it asked for last is looked at: each question has little time for its answer.
      AtomicReference<RunProgressView> last = new AtomicReference<>(progress(server));
      Await.until(
          () -> {
            last.set(progress(server));
            return last.get().jobs().stream().anyMatch(job -> job.progress() != null);
          });
      RunProgressView told = last.get();
      assertThat(told.run()).isEqualTo("train");
      assertThat(told.warnings()).isEmpty();
      assertThat(told.jobs())
          .singleElement()
          .returns("cloud", JobProgressView::backend)
          .returns(0, JobProgressView::node)
          .returns("the machine is booting", JobProgressView::progress)
          .returns(null, JobProgressView::message);
      server.client().stop(PROJECT, "train", true);
      server.outputOf("train");
      assertThat(progress(server).jobs()).as("after its end").isEmpty();
    }
  }

  @Test
  void aJobThatRunsIsNotShown() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      submit(server, Map.of("boot_time", "0s"));
      Await.until(
          () -> {
            RunProgressView told = progress(server);
            return told.status().equals("running") && told.jobs().isEmpty();
          });
    }
  }

  /** The job writes where its runner would, in the folder above its own. */
  @Test
  void whatAJobDidWithoutIsKeptAfterItsEnd() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      server.submit(
          RunningServer.task("train", "echo 'no limit' >>../warnings; echo ran", "exit 0"));
      assertThat(new String(server.outputOf("train"), StandardCharsets.UTF_8)).isEqualTo("ran\n");
      assertThat(server.client().get(PROJECT, "train").attempts().getFirst().warnings())
          .contains("no limit");
      assertThat(progress(server).warnings()).contains("no limit");
      assertThat(server.client().events(PROJECT, 0, 1000, 0).events())
          .filteredOn(event -> "no limit".equals(event.data().get("message")))
          .singleElement()
          .returns("attempt.warned", EventView::kind);
    }
  }

  @Test
  void aBackendThatHangsIsNotWaitedFor() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      submit(
          server,
          Map.of(
              "boot_time",
              "1h",
              "latencies",
              Map.of("describe_job", Map.of("min", "1h", "max", "1h"))));
      Await.until(
          () ->
              progress(server).jobs().stream()
                  .anyMatch(
                      job ->
                          job.progress() == null
                              && String.valueOf(job.message()).contains("does not answer now")));
      assertThat(progress(server).jobs())
          .as("the question that hangs is not asked again")
          .singleElement()
          .returns(null, JobProgressView::progress);
      assertThat(server.client().list(PROJECT, false, 10, null).runs()).hasSize(1);
    }
  }
}
