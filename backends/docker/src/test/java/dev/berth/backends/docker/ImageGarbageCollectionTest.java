package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.container.DockerRuntime;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageName;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Images that were pulled for jobs go when they are over, and no others. */
@ResourceLock(TestEngine.DOCKER)
@Tag(TestEngine.TAG)
class ImageGarbageCollectionTest {
  @TempDir Path directory;

  private @Nullable TestEngine started;
  private @Nullable PlainRegistry served;

  /** Written by the thread of the test; read by those of the runtime. */
  private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @BeforeEach
  void open() throws Exception {
    TestEngine opened = TestEngine.docker();
    started = opened;
    served = new PlainRegistry(opened.engine().version().architecture());
  }

  @AfterEach
  void close() {
    if (served != null) {
      served.close();
    }
    if (started != null) {
      started.close();
    }
  }

  private TestEngine engine() {
    return Objects.requireNonNull(started);
  }

  private String image(String name) {
    return Objects.requireNonNull(served).image(name);
  }

  private EngineJobs jobs(Map<String, String> settings) {
    return new EngineJobs(engine(), directory, settings, () -> now);
  }

  private boolean has(String image) {
    return engine().engine().images().find(image).isPresent();
  }

  private static String ran(EngineJobs jobs, String image) throws Exception {
    String job = jobs.start(EngineJobs.request(Container.of(image)));
    assertThat(jobs.awaitEnd(job)).returns(0, JobObservation.Exited::code);
    return job;
  }

  private static void clean(EngineJobs jobs) {
    ((DockerRuntime) jobs.runtime()).cleanImages();
  }

  @Test
  void imageThatNoJobUsesGoesAfterItsAge() throws Exception {
    String old = image("old");
    String held = image("held");
    try (EngineJobs jobs = jobs(Map.of("image_age", "2d"))) {
      jobs.runtime().remove(ran(jobs, old));
      ran(jobs, held);
      now = now.plus(Duration.ofDays(1));
      clean(jobs);
      assertThat(has(old)).as("before its age").isTrue();
    }
    // The next server knows which it were.
    try (EngineJobs jobs = jobs(Map.of("image_age", "2d"))) {
      now = now.plus(Duration.ofDays(2));
      String holder = ran(jobs, held);
      now = now.plus(Duration.ofDays(3));
      clean(jobs);
      assertThat(has(old)).as("after its age").isFalse();
      assertThat(has(held)).as("with a container").isTrue();
      jobs.runtime().remove(holder);
      clean(jobs);
      assertThat(has(held)).as("its age counts from its last container").isTrue();
      now = now.plus(Duration.ofDays(3));
      clean(jobs);
      assertThat(has(held)).isFalse();
    }
  }

  @Test
  void fullDiskMakesThemGoEarlier() throws Exception {
    String image = image("large");
    try (EngineJobs jobs = jobs(Map.of("image_space", "1000TB"))) {
      jobs.runtime().remove(ran(jobs, image));
      clean(jobs);
      assertThat(has(image)).as("just used").isTrue();
      now = now.plus(Duration.ofHours(2));
      clean(jobs);
      assertThat(has(image)).isFalse();
    }
  }

  /** Each pull of such a name leaves an image without one. */
  @Test
  void imageWhoseNameMovedOnGoesToo() throws Exception {
    String image = Objects.requireNonNull(served).image("moving", "latest");
    try (EngineJobs jobs = jobs(Map.of())) {
      jobs.runtime().remove(ran(jobs, image));
      String first = engine().engine().images().find(image).orElseThrow().id();
      Objects.requireNonNull(served).renew();
      jobs.runtime().remove(ran(jobs, image));
      assertThat(engine().engine().images().find(image).orElseThrow().id()).isNotEqualTo(first);
      assertThat(has(first)).isTrue();
      now = now.plus(Duration.ofDays(100));
      clean(jobs);
      assertThat(has(first)).as("without a name").isFalse();
      assertThat(has(image)).isFalse();
    }
  }

  @Test
  void imageWithTwoNamesOfOursGoes() throws Exception {
    String one = Objects.requireNonNull(served).image("two", "1");
    String other = Objects.requireNonNull(served).image("two", "2");
    try (EngineJobs jobs = jobs(Map.of())) {
      jobs.runtime().remove(ran(jobs, one));
      jobs.runtime().remove(ran(jobs, other));
      String id = engine().engine().images().find(one).orElseThrow().id();
      assertThat(engine().engine().images().find(other).orElseThrow().id()).isEqualTo(id);
      now = now.plus(Duration.ofDays(100));
      clean(jobs);
      assertThat(has(one)).isFalse();
      assertThat(has(id)).isFalse();
    }
  }

  @Test
  void whatIsNotOursStays() throws Exception {
    Engine engine = engine().engine();
    String before = image("before");
    String named = image("named");
    String replaced = image("replaced");
    engine().pull(before);
    try (EngineJobs jobs = jobs(Map.of())) {
      for (String image : List.of(before, named, replaced)) {
        jobs.runtime().remove(ran(jobs, image));
      }
      engine().tag(named, "localhost/mine", "1");
      engine
          .images()
          .importTar(
              new ByteArrayInputStream(TestImages.shelllessFiles()),
              ImageName.parse(replaced),
              List.of("CMD [\"/cat\"]"));
      now = now.plus(Duration.ofDays(100));
      clean(jobs);
      assertThat(has(before)).as("there before").isTrue();
      assertThat(has(named)).as("with a name of somebody").isTrue();
      assertThat(has(replaced)).as("another of the same name").isTrue();
    }
  }
}
