package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a utilisation policy is taken, and where it is refused. */
@Timeout(120)
class UtilisationApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  private static RunRequest task(String backend, boolean gpu) {
    Map<String, @Nullable Object> file =
        new LinkedHashMap<>(RunningServer.task("idle", "sleep 600").configuration());
    if (gpu) {
      file.put("resources", Map.of("gpu", Map.of("count", Map.of("min", 1, "max", 1))));
    }
    file.put("backends", List.of(backend));
    file.put("utilization_policy", Map.of("min_gpu_utilization", 10, "time_window", 300));
    return new RunRequest("idle", file);
  }

  @Test
  void itIsRefusedWithoutGpusAndWhereNobodyTellsHowBusyTheyAre() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      add(server, "telling", List.of());
      add(server, "mute", List.of("gpu_metrics"));
      server
          .client()
          .addBackend(
              PROJECT,
              new BackendRequest("machines", "sim", Map.of("gives", "machines", "jobs", "berth")));
      assertThat(refusals(server, task("telling", true))).isEmpty();
      assertThat(refusals(server, task("telling", false)))
          .containsExactly(
              "utilization_policy: the policy needs a GPU, but no node requests one; add one to"
                  + " 'resources' or remove the policy");
      String nobodyTells =
          "utilization_policy: none of the backends that this run may use reports GPU"
              + " utilization; remove the policy, or allow a backend that does";
      assertThat(refusals(server, task("mute", true))).containsExactly(nobodyTells);
      assertThat(refusals(server, task("machines", true))).containsExactly(nobodyTells);
    }
  }

  private static List<String> refusals(RunningServer server, RunRequest request) {
    return server.client().plan(PROJECT, request).refusals().stream()
        .map((FieldProblem problem) -> problem.path() + ": " + problem.message())
        .toList();
  }

  private static void add(RunningServer server, String name, List<String> without) {
    server
        .client()
        .addBackend(
            PROJECT,
            new BackendRequest(name, "sim", Map.of("state", "memory", "without", without)));
  }
}
