package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.docker.FakeEngine;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is looked at when the backend is added. */
class DockerCheckTest {
  @TempDir Path directory;

  private void check(Map<String, ?> settings) {
    DockerBackendType type = new DockerBackendType();
    type.check(
        ConfigReader.read(type.config(), settings),
        new BackendContext(
            "docker", new Owner("test"), directory, Map.of(), InstantSource.system()));
  }

  @Test
  void engineThatRefusesOurWordsIsRefused() {
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"),
            (asked, out) -> {
              if (asked.path().equals("/version")) {
                FakeEngine.send(out, 200, "{\"ApiVersion\":\"1.60\",\"Os\":\"linux\"}");
              } else {
                FakeEngine.send(out, 400, "{\"message\":\"client version 1.41 is too old\"}");
              }
            })) {
      assertThatThrownBy(() -> check(Map.of("host", fake.host())))
          .isInstanceOf(BackendException.BadConfig.class)
          .hasMessageContaining("client version 1.41 is too old");
    }
  }

  @Test
  void anEngineThatIsNotThereIsNamedInASentence() {
    assertThatThrownBy(() -> check(Map.of("host", "unix:///nowhere.sock")))
        .isInstanceOf(BackendException.BadConfig.class)
        .hasMessageContaining(
            "'host' does not work: the engine at unix:///nowhere.sock cannot be reached")
        .hasMessageContaining("may the server's user open its socket?");
    assertThatThrownBy(() -> check(Map.of("host", "tcp://127.0.0.1:2375")))
        .hasMessageContaining("'host' must be the socket of an engine");
  }

  @Test
  void ulimitsAreCheckedBeforeAnyJobAsksForThem() {
    assertThatThrownBy(
            () ->
                check(
                    Map.of(
                        "host",
                        "unix:///nowhere.sock",
                        "ulimits",
                        Map.of("nofiles", "1", "nofile", "9:5", "nproc", "-1:5", "stack", "many"))))
        .isInstanceOf(BackendException.BadConfig.class)
        .hasMessageContaining("nofiles", "is no limit that engines know")
        .hasMessageContaining("as it is in '9:5'")
        .hasMessageContaining("as it is in '-1:5'")
        .hasMessageContaining("not 'many'");
  }

  @Test
  void engineOfDocker29IsTaken() {
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"),
            (asked, out) -> {
              if (asked.path().equals("/version")) {
                FakeEngine.send(
                    out,
                    200,
                    "{\"ApiVersion\":\"1.52\",\"MinAPIVersion\":\"1.44\",\"Os\":\"linux\"}");
              } else if (asked.path().startsWith("/v1.44/")) {
                FakeEngine.send(out, 200, "OK");
              } else {
                FakeEngine.send(out, 400, "{\"message\":\"client version is too old\"}");
              }
            })) {
      check(Map.of("host", fake.host()));
      assertThat(fake.asked()).hasSize(2);
    }
  }
}
