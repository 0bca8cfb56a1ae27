package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A checkout that is moved after it was built. */
class MovedCheckoutTest {
  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
    home.delete();
  }

  @Test
  void aRenamedCheckoutRunsTasks() throws IOException {
    Path renamed = Files.move(copy("-Rp", "built here"), home.scratch().resolve("moved there"));
    FinishedCommand finished = berth(renamed, "apply", "-y", "-f", example(renamed)).expect(0);
    assertThat(finished.out()).contains("Hello from");
    assertThat(finished.err()).doesNotContain("building");
    assertThat(server()).contains(renamed + "/distribution/target/berth/lib/");
  }

  @Test
  void theCachesMoveWithTheCheckout() throws IOException {
    assumeTrue(Files.exists(Distribution.cache("server.aot")), "there are no AOT caches to move");
    Path renamed = Files.move(copy("-Rp", "built here"), home.scratch().resolve("moved there"));
    Path asked = fakeTraining(renamed);
    berth(renamed, "ps").expect(0);
    assertThat(server()).contains("-XX:AOTCache=" + renamed);
    assertThat(asked).doesNotExist();
  }

  /** The JVM would not take caches of jars with other times. */
  @Test
  void aCopyWithNewTimesHasItsCachesMadeAgain() throws IOException {
    Path copied = copy("-R", "a copy");
    Path berth = copied.resolve("distribution/target/berth");
    Path asked = fakeTraining(copied);
    berth(copied, "--version").expect(0);
    Await.until("the training", () -> Files.exists(asked));
    assertThat(asked).content().startsWith("--background " + berth + " ");
    Files.delete(asked);
    home.set("BERTH_AOT", "off");
    berth(copied, "--version").expect(0);
    home.set("BERTH_AOT", "");
    assertThat(asked).doesNotExist();
  }

  /** What the launcher needs of a built checkout. */
  private Path copy(String how, String name) throws IOException {
    Path folder = Files.createDirectory(home.scratch().resolve(name));
    Path target = Files.createDirectories(folder.resolve("distribution/target"));
    Path root = Distribution.root();
    copy(how, root.resolve("berth"), folder);
    copy(how, root.resolve("build"), folder);
    copy(how, root.resolve("distribution/target/berth"), target);
    return folder;
  }

  private void copy(String how, Path from, Path to) {
    List<String> command = List.of("cp", how, from.toString(), to.toString());
    home.startProgram(command, home.scratch()).await().expect(0);
  }

  /** Only notes what it is asked for; the real one takes a minute. */
  private static Path fakeTraining(Path checkout) throws IOException {
    Path asked = checkout.resolve("asked");
    Path train = checkout.resolve("distribution/target/berth/libexec/train");
    Files.writeString(
        train,
        "#!/bin/sh\necho \"$@\" >'" + asked + ".new'\nmv '" + asked + ".new' '" + asked + "'\n");
    return asked;
  }

  private FinishedCommand berth(Path checkout, String... arguments) {
    List<String> command = new ArrayList<>(List.of(checkout.resolve("berth").toString()));
    command.addAll(List.of(arguments));
    return home.startProgram(command, home.scratch()).await();
  }

  private static String example(Path checkout) {
    return checkout.resolve("distribution/target/berth/examples/hello.berth.yml").toString();
  }

  /** The command line of the embedded server. */
  private String server() {
    return home.processes().stream()
        .filter(process -> process.pid() == home.serverPid())
        .map(ProcessTable.Entry::command)
        .findFirst()
        .orElseThrow();
  }
}
