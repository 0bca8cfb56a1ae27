package dev.berth.hosts.images;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which images are ours, whatever becomes of their names and of the list. */
class PulledImagesTest {
  private static final Instant FIRST = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = FIRST.plusSeconds(60);

  @TempDir Path folder = Path.of("");

  private Path file = Path.of("");
  private PulledImages images = new PulledImages(ThisMachine.ACCESS.files(), path(file));

  @BeforeEach
  void open() {
    file = folder.resolve("images");
    images = new PulledImages(ThisMachine.ACCESS.files(), path(file));
  }

  @Test
  void imageWhoseNameWePulledAnewIsKnownByItsId() {
    images.add("a:latest", "sha256:1", FIRST);
    images.moved("a:latest", "sha256:1", "sha256:2", LATER);
    assertThat(images.oldestFirst())
        .containsExactly(
            new PulledImages.Pulled("sha256:1", "sha256:1", FIRST),
            new PulledImages.Pulled("a:latest", "sha256:2", LATER));
    images.moved("a:latest", "sha256:2", "sha256:1", LATER);
    assertThat(images.oldestFirst())
        .as("the name came back")
        .containsExactlyInAnyOrder(
            new PulledImages.Pulled("a:latest", "sha256:1", LATER),
            new PulledImages.Pulled("sha256:2", "sha256:2", LATER));
  }

  @Test
  void imageThatSomebodyPutUnderOurNameIsTheirs() {
    images.add("a:latest", "sha256:1", FIRST);
    images.used("a:latest", "sha256:theirs", LATER);
    images.moved("a:latest", "sha256:theirs", "sha256:new", LATER);
    assertThat(images.oldestFirst())
        .containsExactly(new PulledImages.Pulled("sha256:1", "sha256:1", FIRST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "null", "{\"images\":[null]}", "{}"})
  void listThatCannotBeReadIsEmptyAndPutAside(String text) throws IOException {
    Files.writeString(file, text);
    assertThat(images.oldestFirst()).isEmpty();
    images.add("a:1", "sha256:1", FIRST);
    assertThat(new PulledImages(ThisMachine.ACCESS.files(), path(file)).oldestFirst()).hasSize(1);
    assertThat(folder.resolve("images.unreadable")).hasContent(text);
  }
}
