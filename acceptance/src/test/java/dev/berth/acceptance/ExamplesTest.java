package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.docker.TestEngine;
import dev.berth.backends.docker.TestImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Every file in {@code examples} does what its comments promise. */
class ExamplesTest {
  private static TestHome home;

  @BeforeAll
  static void open() {
    home = TestHome.fresh();
  }

  @AfterAll
  static void close() {
    home.close();
  }

  @Test
  void eachExampleHasItsTestHere() throws IOException {
    try (Stream<Path> files = Files.list(Distribution.root().resolve("examples"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".yml"))
              .toList();
      assertThat(names)
          .containsExactlyInAnyOrder(
              "hello.berth.yml",
              "failing.berth.yml",
              "long.berth.yml",
              "env-and-files.berth.yml",
              "docker.berth.yml");
    }
  }

  @Test
  void helloGreets() {
    FinishedCommand apply = apply("hello").expect(0);
    assertThat(apply.out())
        .startsWith("Hello from ")
        .endsWith("\nBerth found a place for your work.\n");
  }

  @Test
  void failingEndsWithItsOwnCode() {
    FinishedCommand apply = apply("failing").expect(3);
    assertThat(apply.out()).isEqualTo("looking for the answer\n");
    assertThat(apply.err())
        .contains("there is no answer\n")
        .contains("failing failed: the commands ended with exit code 3");
  }

  @Test
  void longSaysGoodbyeWhenItIsStopped() {
    RunningCommand apply = home.start("apply", "-f", path("long"), "-y");
    apply.awaitOut("working, until somebody stops me\n");
    home.berth("stop", "long").expect(0);
    FinishedCommand finished = apply.await().expect(1);
    assertThat(finished.out()).isEqualTo("working, until somebody stops me\ngoodbye\n");
    assertThat(finished.err()).contains("long terminated: stopped by the user");
  }

  @Test
  void envAndFilesReachTheJob() {
    home.set("HOME", "/home/of-a-newcomer");
    FinishedCommand apply = apply("env-and-files").expect(0);
    assertThat(apply.out())
        .isEqualTo(
            """
            Hello from somebody who lives in /home/of-a-newcomer
            This line came from a file.
            anchor
            harbour
            """);
  }

  @Test
  @Tag(TestEngine.TAG)
  @ResourceLock(TestEngine.DOCKER)
  void dockerGreetsFromItsImage() {
    try (TestEngine engine = TestEngine.docker();
        TestHome own = TestHome.fresh()) {
      TestImages.busybox(engine.engine(), "busybox:1.37", 0);
      own.berth("backend", "add", "docker", "-s", "host=" + engine.host()).expect(0);
      assertThat(own.berth("apply", "-f", path("docker"), "-y").expect(0).out())
          .isEqualTo("Hello from a container, in /work\n16 MB of shared memory\n");
    }
  }

  private static FinishedCommand apply(String example) {
    return home.berth("apply", "-f", path(example), "-y");
  }

  private static String path(String example) {
    return Distribution.example(example).toString();
  }
}
