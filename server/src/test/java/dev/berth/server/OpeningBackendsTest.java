package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.DoctorView;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A provider that does not answer delays neither the server nor its other backends. */
@Timeout(120)
class OpeningBackendsTest {
  @TempDir Path home;
  private SlowProvider provider;

  @BeforeEach
  void install() throws IOException {
    provider = new SlowProvider();
    SlowProvider.install(home);
  }

  @AfterEach
  void end() throws IOException {
    provider.close();
  }

  private BackendRequest slow() {
    return new BackendRequest("slow", SlowProvider.TYPE, Map.copyOf(provider.settings()));
  }

  private static BackendView shown(RunningServer server, String name) {
    return server.client().backends(RunningServer.PROJECT).backends().stream()
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A server before whose start the backend was added. */
  private void addBeforeStart() throws IOException {
    provider.answer();
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().addBackend(RunningServer.PROJECT, slow()).status())
          .isEqualTo("ready");
      server
          .client()
          .addBackend(RunningServer.PROJECT, new BackendRequest("cloud", "sim", Map.of()));
    }
  }

  @Test
  void aServerStartsWithoutABackendThatHangsAndTakesItInWhenItOpens() throws Exception {
    addBeforeStart();
    try (RunningServer server = new RunningServer(home)) {
      provider.awaitAsked();
      assertThat(shown(server, "slow").status()).isEqualTo("opening");
      assertThat(shown(server, "slow").message()).contains("it has been opening since");
      assertThat(shown(server, "cloud").status()).isEqualTo("ready");
      server.submit(RunningServer.task("one", "echo hi"));
      assertThat(new String(server.outputOf("one"), UTF_8)).isEqualTo("hi\n");
      assertThat(server.client().doctor().checks())
          .filteredOn(check -> check.part().startsWith("backend slow"))
          .extracting(DoctorView.Check::state)
          .containsExactly("warn");
      assertThatThrownBy(() -> server.client().checkBackend(RunningServer.PROJECT, "slow"))
          .hasMessageContaining("opening since");
      provider.answer();
      Await.until(() -> shown(server, "slow").status().equals("ready"));
      assertThat(server.client().removeBackend(RunningServer.PROJECT, "slow", false).name())
          .isEqualTo("slow");
    }
  }

  @Test
  void aBackendThatHangsCanBeForgotten() throws Exception {
    addBeforeStart();
    try (RunningServer server = new RunningServer(home)) {
      assertThat(shown(server, "slow").status()).isEqualTo("opening");
      server.client().removeBackend(RunningServer.PROJECT, "slow", true);
      assertThat(server.client().backends(RunningServer.PROJECT).backends())
          .extracting(BackendView::name)
          .containsExactly("cloud", "local");
    }
  }

  @Test
  void addingOneThatHangsDelaysOnlyOperationsOnThatOne() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      CompletableFuture<BackendView> adding =
          CompletableFuture.supplyAsync(
              () -> server.client().addBackend(RunningServer.PROJECT, slow()));
      provider.awaitAsked();
      assertThat(
              server
                  .client()
                  .addBackend(RunningServer.PROJECT, new BackendRequest("cloud", "sim", Map.of()))
                  .status())
          .isEqualTo("ready");
      server.client().removeBackend(RunningServer.PROJECT, "cloud", false);
      assertThat(adding).isNotDone();
      HttpResponse<String> second =
          server.request("DELETE", "/api/v1/projects/main/backends/slow", null, true);
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.headers().firstValue("Retry-After")).isPresent();
      assertThat(second.body()).contains("another operation on the backend 'slow' is in progress");
      assertThat(adding).isNotDone();
      provider.answer();
      assertThat(adding.get(60, TimeUnit.SECONDS).status()).isEqualTo("ready");
    }
  }

  @Test
  void oneThatTheFileDeclaresDelaysNoOther() throws Exception {
    Files.writeString(
        home.resolve(ServerFile.NAME),
        """
        projects:
          - name: main
            backends:
              - {type: slow, port: %s}
              - {type: sim, name: cloud}
        """
            .formatted(provider.settings().get("port")));
    try (RunningServer server = new RunningServer(home)) {
      Await.until(() -> shown(server, "cloud").status().equals("ready"));
      assertThat(shown(server, "slow").status()).isEqualTo("preparing");
      provider.answer();
      Await.until(() -> shown(server, "slow").status().equals("ready"));
    }
  }
}
