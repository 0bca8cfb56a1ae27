package dev.berth.hosts.images;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.docker.FakeEngine;
import dev.berth.hosts.jobdir.JobDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pulls whose engine says nothing any more. */
class ImagePullTest {
  @TempDir Path folder = Path.of("");

  @Test
  @Timeout(60)
  void silentPullIsBegunAgain() {
    CountDownLatch over = new CountDownLatch(1);
    try (FakeEngine engine =
        new FakeEngine(
            folder.resolve("engine.sock"),
            (asked, out) -> {
              if (asked.path().equals("/version")) {
                FakeEngine.send(out, 200, "{}");
              } else if (asked.method().equals("GET")) {
                FakeEngine.send(out, 404, "{}");
              } else {
                out.write(
                    "HTTP/1.1 200 OK\r\n\r\n{\"status\":\"Pulling\"}\n"
                        .getBytes(StandardCharsets.US_ASCII));
                try {
                  over.await();
                } catch (InterruptedException interrupted) {
                  Thread.currentThread().interrupt();
                }
              }
            })) {
      ImagePull pull =
          new ImagePull(
              engine.engine(),
              "image:1",
              new PulledImages(ThisMachine.ACCESS.files(), path(folder.resolve("images"))),
              InstantSource.system(),
              Duration.ofMillis(50));
      assertThatThrownBy(
              () ->
                  pull.ensure(new JobDirectory(ThisMachine.ACCESS.files(), path(folder)), _ -> {}))
          .isInstanceOfSatisfying(
              HostException.class,
              failure ->
                  org.assertj.core.api.Assertions.assertThat(failure.code())
                      .as("tried again")
                      .isEqualTo(HostException.Code.MACHINE))
          .hasMessage("the pull of image:1 was cut off");
    } finally {
      over.countDown();
    }
  }
}
