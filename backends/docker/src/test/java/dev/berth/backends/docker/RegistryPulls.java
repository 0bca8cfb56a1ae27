package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineRequest;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.Secret;
import dev.berth.model.testing.FilesThatAreThere;
import dev.berth.spi.JobRuntime.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images of a private registry: what works, and what a job's end says where it does not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
@Tag(TestEngine.TAG)
abstract class RegistryPulls {
  private static final int BALLAST = 16 << 20;
  private static final long HALF = BALLAST / 2;

  /** Not static: the classes of both engines go on side by side. */
  private Path directory = Path.of("");

  private Path storage = Path.of("");

  private @Nullable TestEngine engine;
  private @Nullable TestRegistry registry;
  private @Nullable EngineJobs jobs;

  abstract TestEngine start();

  @BeforeAll
  void open(@TempDir Path jobFolder, @TempDir Path registryFolder) {
    directory = jobFolder;
    storage = registryFolder;
    TestRegistry opened = TestRegistry.start(storage);
    registry = opened;
    TestEngine started = start();
    engine = started;
    jobs = new EngineJobs(started, directory);
    push(image(opened.port()));
  }

  @AfterAll
  void close() throws Exception {
    try (TestRegistry _ = registry;
        TestEngine _ = engine) {
      EngineJobs opened = jobs;
      if (opened != null) {
        opened.end();
      }
    }
  }

  /** Whatever happened, nobody can read the password afterwards. */
  @AfterEach
  void passwordIsNowhere() throws IOException {
    List<String> forms =
        List.of(
            TestRegistry.PASSWORD,
            Base64.getEncoder()
                .encodeToString(
                    (TestRegistry.USER + ":" + TestRegistry.PASSWORD)
                        .getBytes(StandardCharsets.UTF_8)));
    for (String form : forms) {
      assertThat(engine().log()).doesNotContain(form);
      assertThat(engine().call(EngineRequest.of("GET", "/containers/json?all=true")))
          .doesNotContain(form);
    }
    assertThat(FilesThatAreThere.saying(directory, forms)).isEmpty();
  }

  private EngineJobs jobs() {
    return Objects.requireNonNull(jobs);
  }

  private TestEngine engine() {
    return Objects.requireNonNull(engine);
  }

  private int port() {
    return Objects.requireNonNull(registry).port();
  }

  private static String image(int port) {
    return "127.0.0.1:" + port + "/berth/private:1";
  }

  private static Container container(String image, String password) {
    return Container.of(image)
        .withRegistry(new Container.Registry(TestRegistry.USER, Secret.of(password)));
  }

  private static Container container(String image) {
    return container(image, TestRegistry.PASSWORD);
  }

  /** Puts an image into the registry, and leaves none at the engine. */
  private void push(String image) {
    TestImages.busybox(engine().engine(), image, BALLAST);
    String login =
        "{\"username\":\"%s\",\"password\":\"%s\"}"
            .formatted(TestRegistry.USER, TestRegistry.PASSWORD);
    int tag = image.lastIndexOf(':');
    String answer =
        engine()
            .call(
                EngineRequest.of(
                        "POST",
                        "/images/%s/push?tag=%s"
                            .formatted(image.substring(0, tag), image.substring(tag + 1)))
                    .with(
                        "X-Registry-Auth",
                        Base64.getUrlEncoder()
                            .encodeToString(login.getBytes(StandardCharsets.UTF_8))));
    assertThat(answer).doesNotContain("errorDetail");
    forget(image);
  }

  /** Removes an image from the engine, so that it must be pulled. */
  private void forget(String image) {
    try {
      engine().call(EngineRequest.of("DELETE", "/images/" + image + "?force=true"));
    } catch (EngineException failure) {
      if (!failure.isAbsent()) {
        throw failure;
      }
    }
  }

  private JobObservation.Exited end(Container container) throws InterruptedException {
    return jobs().awaitEnd(jobs().start(EngineJobs.request(container, "echo ran")));
  }

  private static void assertRefused(JobObservation.Exited end, String... words) {
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail())
        .contains(words)
        .contains("cannot be pulled")
        .doesNotContain(TestRegistry.PASSWORD)
        .doesNotContain("\n");
  }

  @Test
  void rightCredentialsPullAndProgressIsTold() throws Exception {
    try (Dam dam = new Dam(port(), HALF)) {
      String image = image(dam.port());
      String job = jobs().start(EngineJobs.request(container(image), "echo ran"));
      dam.awaitHeld();
      assertThat(jobs().awaitWords(job, progressWord())).startsWith("pulling " + image);
      assertThat(jobs().runtime().observe(List.of(job)).getFirst())
          .isInstanceOf(JobObservation.Prepared.class);
      dam.open();
      assertThat(jobs().awaitEnd(job).code()).isZero();
      assertThat(jobs().output(job, Stream.STDOUT)).isEqualTo("ran\n");
      assertThat(engine().inspection("berth-" + job)).doesNotContain(TestRegistry.PASSWORD);
      jobs().runtime().remove(job);
      forget(image);
    }
  }

  /** What an engine that tells how far it is makes us say. */
  String progressWord() {
    return "%";
  }

  @Test
  void wrongCredentialsAreNamed() throws Exception {
    String image = image(port());
    JobObservation.Exited end = end(container(image, "not-" + TestRegistry.USER));
    assertRefused(end, image, "registry_auth", "'" + TestRegistry.USER + "'");
    assertThat(end.detail()).doesNotContain("not-" + TestRegistry.USER);
  }

  @Test
  void missingCredentialsAreAskedFor() throws Exception {
    String image = image(port());
    assertRefused(end(Container.of(image)), image, "registry_auth");
  }

  @Test
  void unknownImageIsNamed() throws Exception {
    String image = "127.0.0.1:" + port() + "/berth/unknown:7";
    assertRefused(end(container(image)), image, "check its name and tag");
  }

  @Test
  void registryThatIsDownIsNamed() throws Exception {
    int gone;
    try (TestRegistry stopped = TestRegistry.start(storage)) {
      gone = stopped.port();
    }
    assertRefused(
        end(container(image(gone))), image(gone), "127.0.0.1:" + gone + " cannot be reached");
  }

  @Test
  void pullThatIsCutIsAReason() throws Exception {
    try (TestRegistry other = TestRegistry.start(storage);
        Dam dam = new Dam(other.port(), HALF)) {
      String image = image(dam.port());
      String job = jobs().start(EngineJobs.request(container(image), "echo ran"));
      dam.awaitHeld();
      other.kill();
      dam.cut();
      assertRefused(jobs().awaitEnd(job), image);
    }
  }

  @Test
  void stopDuringAPullEndsIt() throws Exception {
    try (Dam dam = new Dam(port(), HALF)) {
      String job = jobs().start(EngineJobs.request(container(image(dam.port())), "echo ran"));
      dam.awaitHeld();
      jobs().runtime().stop(job, Duration.ofMinutes(5));
      assertThat(jobs().runtime().observe(List.of(job)).getFirst())
          .isInstanceOfSatisfying(
              JobObservation.Exited.class,
              end -> assertThat(end.cause()).isEqualTo(JobObservation.Cause.STOPPED));
      jobs().runtime().remove(job);
      assertThat(engine().engine().images().find(image(dam.port()))).isEmpty();
    }
  }

  @Test
  void stopBeforeTheRegistryAnswersEndsIt() throws Exception {
    try (Dam dam = new Dam(port(), 0)) {
      String job = jobs().start(EngineJobs.request(container(image(dam.port())), "echo ran"));
      dam.awaitHeld();
      jobs().runtime().kill(job);
      assertThat(jobs().awaitEnd(job).cause()).isEqualTo(JobObservation.Cause.KILLED);
      jobs().runtime().remove(job);
    }
  }

  @Test
  void nextRuntimeTakesUpAPull() throws Exception {
    try (Dam dam = new Dam(port(), HALF)) {
      String image = image(dam.port());
      Path own = directory.resolve("dropped");
      EngineJobs before = new EngineJobs(engine(), own);
      String job = before.start(EngineJobs.request(container(image), "echo ran"));
      dam.awaitHeld();
      before.drop();
      dam.open();
      EngineJobs after = new EngineJobs(engine(), own);
      assertThat(after.awaitEnd(job).code()).isZero();
      assertThat(after.output(job, Stream.STDOUT)).isEqualTo("ran\n");
      after.runtime().remove(job);
      after.drop();
      forget(image);
    }
  }
}
