package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which version of the API engines are asked, old ones and those that gave up on old ones. */
class ApiVersionTest {
  @TempDir Path directory;

  /** As engines of Docker answer since 29, which speak 1.44 at least. */
  private static void answer(String oldest, String newest, FakeEngine.Asked asked, OutputStream out)
      throws IOException {
    if (asked.path().equals("/version")) {
      FakeEngine.send(
          out, 200, "{\"ApiVersion\":\"%s\",\"MinAPIVersion\":\"%s\"}".formatted(newest, oldest));
      return;
    }
    String version = asked.path().substring(2, asked.path().indexOf('/', 1));
    ApiVersion spoken = ApiVersion.parse(version).orElseThrow();
    if (ApiVersion.parse(oldest).filter(least -> spoken.compareTo(least) < 0).isPresent()) {
      FakeEngine.send(
          out,
          400,
          "{\"message\":\"client version %s is too old. Minimum supported API version is %s\"}"
              .formatted(version, oldest));
    } else if (ApiVersion.parse(newest).filter(most -> spoken.compareTo(most) > 0).isPresent()) {
      FakeEngine.send(out, 400, "{\"message\":\"client version is too new\"}");
    } else {
      FakeEngine.send(out, 200, "[]");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.44, 1.52, /v1.44/", // Docker 29
    "1.24, 1.47, /v1.41/",
    "1.12, 1.41, /v1.41/", // Docker 20.10
    "1.24, 1.40, /v1.40/", // Podman 3
    "'', 1.41, /v1.41/",
    "'', '', /v1.41/",
  })
  void engineIsAskedInAVersionThatItSpeaks(String oldest, String newest, String spoken) {
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"), (asked, out) -> answer(oldest, newest, asked, out))) {
      assertThat(fake.engine().list()).isEmpty();
      assertThat(fake.asked().getLast().path()).startsWith(spoken);
    }
  }

  @Test
  void engineThatWasReplacedIsAskedAnew() {
    String[] oldest = {"1.24"};
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"),
            (asked, out) -> answer(oldest[0], "1.52", asked, out))) {
      Engine engine = fake.engine();
      engine.ping();
      oldest[0] = "1.44";
      engine.ping();
      assertThat(fake.asked().getLast().path()).isEqualTo("/v1.44/_ping");
    }
  }

  @Test
  void otherRefusalsAreToldAtOnce() {
    try (FakeEngine fake =
        new FakeEngine(
            directory.resolve("engine.sock"),
            (asked, out) -> {
              if (asked.path().equals("/version")) {
                answer("", "1.41", asked, out);
              } else {
                FakeEngine.send(out, 400, "{\"message\":\"bad parameter\"}");
              }
            })) {
      assertThatThrownBy(() -> fake.engine().list()).hasMessage("bad parameter");
      assertThat(fake.asked()).hasSize(2);
    }
  }
}
