package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.docker.TestEngine;
import dev.berth.backends.docker.TestImages;
import dev.berth.model.testing.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tasks in images, as people type them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(TestEngine.DOCKER)
@Tag(TestEngine.TAG)
class DockerRunsTest {
  private static final String FIELDS = "backends: [docker]\nimage: " + TestImages.BUSYBOX;

  private static final String PYTHON = "localhost/berth-test-python:";

  private @Nullable TestEngine engine;
  private TestHome home;

  @BeforeAll
  void open() {
    TestEngine started = TestEngine.docker();
    engine = started;
    TestImages.busybox(started.engine());
    TestImages.busybox(started.engine(), PYTHON + "3.12", 1);
    home = TestHome.fresh();
    write(
        home.folder().resolve("server.yml"),
        """
        default-image: %s
        python-image: '%s{version}'
        """
            .formatted(TestImages.BUSYBOX, PYTHON));
    assertThat(home.berth("backend", "add", "docker", "-s", "host=" + started.host()).expect(0))
        .returns("docker added\n", FinishedCommand::out);
  }

  @AfterAll
  void close() {
    TestEngine started = engine;
    if (started != null) {
      try {
        home.close();
      } finally {
        started.close();
      }
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private FinishedCommand apply(Path file) {
    return home.berth("apply", "-y", "-f", file.toString());
  }

  @Test
  void taskRunsInItsImage() {
    Path file = home.task("inside", FIELDS, "pwd\necho told >&2\nexit 3");
    assertThat(apply(file).expect(3).out()).isEqualTo("/srv\n");
    assertThat(home.berth("logs", "inside", "--stdout").expect(0).out()).isEqualTo("/srv\n");
    assertThat(home.berth("logs", "inside", "--stderr").expect(0).out()).isEqualTo("told\n");
    assertThat(home.run("inside").get("exit_code").asInt()).isEqualTo(3);
    home.berth("delete", "inside").expect(0);
  }

  @Test
  void taskWithoutAnImageGetsThatOfTheServersFile() {
    FinishedCommand usual = apply(home.task("usual", "backends: [docker]", "wc -c < ballast"));
    assertThat(usual.expect(0).out()).isEqualTo("0\n");
    assertThat(usual.err()).contains("Image " + TestImages.BUSYBOX + " (in containers)");
    FinishedCommand python =
        apply(home.task("snake", "backends: [docker]\npython: 3.12", "wc -c < ballast"));
    assertThat(python.expect(0).out()).isEqualTo("1\n");
    assertThat(python.err()).contains("Image " + PYTHON + "3.12");
  }

  @Test
  void sharedMemoryAndPortsOfTheFileReachTheContainer() throws IOException {
    int free = FreePort.find();
    String fields = FIELDS + "\nports: ['%d:8080']\nresources: {shm_size: 32MB}".formatted(free);
    home.submit(
        home.task(
            "listening",
            fields,
            "df -m /dev/shm | awk 'NR == 2 { print $2 }'\n"
                + "echo up\nexec nc -ll -p 8080 -e /bin/cat"));
    home.start("logs", "-f", "listening").awaitOut("32\nup\n");
    Await.until("the job answers", () -> echoes(free));
    assertThat(apply(home.task("second", fields, "true")).expect(1).err())
        .contains("in use on the engine's machine", String.valueOf(free));
    home.berth("stop", "-x", "listening").expect(0);
    home.awaitEnd("listening");
  }

  /** The engine listens at once, and closes what nobody takes yet. */
  private static boolean echoes(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("word".getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readNBytes(4), StandardCharsets.UTF_8)
          .equals("word");
    } catch (IOException notYet) {
      return false;
    }
  }

  @Test
  void commandsAndConnectionsReachIntoTheContainer() {
    home.submit(home.task("open", FIELDS, "echo up\nexec nc -ll -p 8080 -e /bin/cat"));
    home.start("logs", "-f", "open").awaitOut("up\n");
    home.awaitRunning("open");
    FinishedCommand inside =
        home.berth("exec", "open", "--", "sh", "-c", "pwd; id -u; echo wrong >&2; exit 5")
            .expect(5);
    assertThat(inside.out()).isEqualTo("/srv\n0\n");
    assertThat(inside.err()).isEqualTo("wrong\n");
    RunningCommand attached = home.start("attach", "open", "--no-logs", "-p", "*:8080");
    int local = attached.awaitForwarded();
    Await.until("the job answers", () -> echoes(local));
    home.berth("stop", "-x", "open").expect(0);
    attached.await().expect(1);
  }

  @Test
  void taskThatNeedsNoContainerGetsNone() {
    assertThat(apply(home.task("plain", "", "echo ${BERTH_ATTEMPT_ID:+here}")).expect(0).err())
        .contains("local");
    assertThat(home.run("plain").get("backend").asString()).isEqualTo("local");
  }

  @Test
  void taskIsStoppedAndLeavesNoContainer() {
    home.submit(
        home.task(
            "endless",
            FIELDS + "\nstop_duration: 20s",
            "trap 'echo goodbye; exit 0' TERM\necho up\nwhile :; do sleep 0.1; done"));
    home.start("logs", "-f", "endless").awaitOut("up\n");
    String attempt = home.berth("show", "endless").json().at("/attempts/0/id").asString();
    home.berth("stop", "endless").expect(0);
    assertThat(home.awaitEnd("endless").get("status").asString()).isEqualTo("terminated");
    assertThat(home.berth("logs", "endless").expect(0).out()).isEqualTo("up\ngoodbye\n");
    home.berth("delete", "endless").expect(0);
    Await.until("the container is removed", () -> !hasContainer(attempt));
  }

  private boolean hasContainer(String attempt) {
    return Objects.requireNonNull(engine).engine().list().values().stream()
        .anyMatch(container -> attempt.equals(container.labels().get("berth-key")));
  }

  @Test
  void whoWaitsForAnImageSeesWhatForAndThatIsNotPartOfTheOutput() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String image = "127.0.0.1:" + silent.getLocalPort() + "/team/large:1";
      RunningCommand apply =
          home.start(
              "apply",
              "-y",
              "-f",
              home.task("waiting", "backends: [docker]\nimage: " + image, "true").toString());
      apply.awaitErr("berth: starting: pulling " + image + "\n");
      home.berth("stop", "-x", "waiting").expect(0);
      FinishedCommand end = apply.await().expect(1);
      assertThat(end.out()).isEmpty();
      assertThat(end.err()).containsOnlyOnce("pulling " + image);
    }
  }

  @Test
  void whatTheEngineCouldNotGiveIsAWarningThatIsKept() {
    String image = "localhost:1/berth-test/moving:latest";
    TestImages.busybox(Objects.requireNonNull(engine).engine(), image, 1);
    Path file = home.task("outdated", "backends: [docker]\nimage: " + image, "echo ran");
    FinishedCommand end = apply(file).expect(0);
    assertThat(end.out()).isEqualTo("ran\n");
    assertThat(end.err())
        .containsOnlyOnce("berth: warning: using the image that was pulled before: ");
    assertThat(home.berth("show", "outdated").json().at("/attempts/0/warnings/0").asString())
        .startsWith(
            "using the image that was pulled before: the image " + image + " cannot be pulled");
    assertThat(home.berth("event", "--json").expect(0).out())
        .containsOnlyOnce("attempt.warned")
        .contains("using the image that was pulled before");
    home.berth("delete", "outdated").expect(0);
  }

  @Test
  void imageThatIsNotThereIsNamed() {
    Path file =
        home.task("mistyped", "backends: [docker]\nimage: localhost:1/team/trainer:2", "true");
    assertThat(apply(file).expect(1).err())
        .contains("mistyped failed", "the image localhost:1/team/trainer:2 cannot be pulled");
  }

  @Test
  void engineThatIsNotThereIsRefused() {
    assertThat(
            home.berth(
                    "backend", "add", "other", "--type", "docker", "-s", "host=unix:///no/engine")
                .expect(65)
                .err())
        .contains("'host'", "/no/engine", "is the engine running");
  }
}
