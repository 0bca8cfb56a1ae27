package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static dev.berth.backends.sim.SimFixture.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.Secret;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileStateTest {
  private final SettableClock clock = new SettableClock();
  @TempDir Path directory;

  private SimFixture open(String yaml) {
    return SimFixture.in(directory, clock, yaml);
  }

  @Test
  void a_cloud_in_a_file_survives_those_who_use_it() {
    String yaml =
        """
        gives: machines
        scenario: {spot: {kills: [{per_hour: 1}]}, queue: true, foreign: 1}
        """;
    SimFixture before = open(yaml);
    Found machine = before.create(machine("m", SimFixture.SPOT));
    Found disk = before.create(volume("v", "sim-north-a"));
    before.volumes().attach(disk.ref(), machine.ref());
    clock.passSeconds(2);
    before.jobs().start(job("a", "echo hi", "sleep 5").at(PLACE.on(machine.ref().id())));
    before.jobs().stop("a", Duration.ofSeconds(9));
    before.compute.close();

    SimFixture after = open(yaml);
    assertThat(after.provisioner().list(OWNER)).isEqualTo(before.provisioner().list(OWNER));
    assertThat(after.observe("a")).isEqualTo(before.observe("a"));
    assertThat(after.output("a")).isEqualTo("hi\n");
    assertThat(after.volumes().isDetached(disk.ref())).isFalse();
    assertThat(after.create(machine("m", SimFixture.SPOT)).ref()).isEqualTo(machine.ref());
  }

  @Test
  void two_who_opened_one_file_see_one_cloud() {
    SimFixture one = open("");
    SimFixture other = open("");
    one.jobs().start(job("a", "sleep 5"));
    other.jobs().start(job("b", "sleep 5"));
    assertThat(one.jobs().list(OWNER)).containsExactly("a", "b");
    other.jobs().kill("a");
    assertThat(one.observe("a")).isInstanceOf(JobObservation.Exited.class);
    one.jobs().remove("b");
    assertThat(other.jobs().list(OWNER)).containsExactly("a");
  }

  @Test
  void memory_is_shared_with_nobody() {
    SimFixture one = open("state: memory");
    one.jobs().start(job("a"));
    assertThat(open("state: memory").jobs().list(OWNER)).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void the_number_of_a_call_goes_on_after_a_crash() {
    String yaml = "scenario: {faults: [{kind: error, operation: start, calls: [2, 3]}]}";
    open(yaml).jobs().start(job("a"));
    assertThatThrownBy(() -> open(yaml).jobs().start(job("b")))
        .isInstanceOf(BackendException.Transient.class);
    // The failed call changed nothing, and yet it counts.
    assertThatThrownBy(() -> open(yaml).jobs().start(job("b")))
        .isInstanceOf(BackendException.Transient.class);
    open(yaml).jobs().start(job("b"));
  }

  @Test
  void many_at_once_lose_nothing() throws Exception {
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int user = 0; user < 4; user++) {
      SimFixture sim = open("");
      String name = "user-" + user;
      calls.add(
          () -> {
            for (int i = 0; i < 10; i++) {
              sim.jobs().start(job(name + "-" + i));
            }
            return true;
          });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> done : threads.invokeAll(calls)) {
        assertThat(done.get()).isTrue();
      }
    }
    assertThat(open("").jobs().list(OWNER)).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void several_processes_share_one_cloud() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (String name : List.of("red", "blue")) {
      processes.add(process(name, 10));
    }
    for (Process process : processes) {
      assertThat(accepted(process)).hasSize(10);
      assertThat(process.waitFor()).isZero();
    }
    assertThat(open("").jobs().list(OWNER)).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void what_was_answered_is_there_after_the_process_was_killed() throws Exception {
    Process process = process("mine", Integer.MAX_VALUE);
    List<String> accepted = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      for (int i = 0; i < 5; i++) {
        accepted.add(lines.readLine());
      }
      // By its handle, because killing the process itself closes what it wrote.
      assertThat(process.toHandle().destroyForcibly()).isTrue();
      lines.lines().forEach(accepted::add);
    }
    SimFixture after = open("");
    // One more may be there, of which nobody was told.
    assertThat(after.jobs().list(OWNER)).startsWith(accepted.toArray(String[]::new));
    assertThat(after.jobs().list(OWNER).size()).isBetween(accepted.size(), accepted.size() + 1);
  }

  private Process process(String name, int jobs) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OtherProcess.class.getName(),
            directory.toString(),
            name,
            Integer.toString(jobs))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<String> accepted(Process process) throws IOException {
    try (BufferedReader lines = process.inputReader()) {
      return lines.lines().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"containers", "machines"})
  void nothing_of_a_world_is_lost_in_its_file(String gives) {
    String yaml = "gives: %s\nscenario_file: builtin:spot-kills".formatted(gives);
    SimFixture before = open(yaml);
    new RandomCalls(before, 42).make(60);
    // A change, so that what looking brought about is stored too.
    before.create(volume("last", null));
    World.Saved expected = before.compute.cloud().look(turn -> turn.world().saved());
    World.Saved read = open(yaml).compute.cloud().look(turn -> turn.world().saved());
    assertThat(read.things()).isEqualTo(expected.things()).isNotEmpty();
    assertThat(read.jobs()).isEqualTo(expected.jobs()).isNotEmpty();
    assertThat(read.openedAt()).isEqualTo(expected.openedAt());
    assertThat(read.made()).isEqualTo(expected.made());
  }

  @Test
  void a_world_of_many_changes_is_written_anew_and_others_follow() {
    SimFixture one = open("");
    SimFixture other = open("");
    for (int i = 0; i < 600; i++) {
      SimFixture user = i % 2 == 0 ? one : other;
      user.jobs().start(job("job-" + i, "x".repeat(500)));
      if (i % 3 == 0) {
        user.jobs().remove("job-" + i);
      }
    }
    List<String> expected = one.jobs().list(OWNER);
    assertThat(expected).hasSize(400);
    assertThat(other.jobs().list(OWNER)).isEqualTo(expected);
    assertThat(open("").jobs().list(OWNER)).isEqualTo(expected);
    assertThat(directory.resolve("cloud.json")).content().startsWith("000000000000000000");
    assertThat(directory.resolve("cloud.json")).content().doesNotStartWith("0000000000000000001");
  }

  @Test
  void a_change_that_somebody_died_over_was_never_made() throws IOException {
    SimFixture before = open("");
    before.jobs().start(job("a", "sleep 5"));
    Path file = directory.resolve("cloud.json");
    Files.writeString(file, Files.readString(file) + "{\"calls\":{\"ST");
    assertThat(open("").jobs().list(OWNER)).containsExactly("a");
    before.jobs().start(job("b", "sleep 5"));
    assertThat(open("").jobs().list(OWNER)).containsExactly("a", "b");
  }

  @Test
  void secrets_are_not_written_down() throws IOException {
    SimFixture sim = open("creds: {type: api_key, api_key: my-own-key}");
    Container.Registry registry = new Container.Registry("me", Secret.of("my-password"));
    sim.jobs().start(job("a", "echo hi").in(Container.of("image").withRegistry(registry)));
    assertThat(Files.readString(directory.resolve("cloud.json")))
        .doesNotContain("my-own-key", "my-password");
    assertThat(sim.compute.cloud().trace().toString()).doesNotContain("my-own-key", "my-password");
  }

  @Test
  void a_broken_file_is_named_and_kept() throws IOException {
    open("").jobs().start(job("a"));
    Path file = directory.resolve("cloud.json");
    for (String broken :
        List.of(
            "",
            "no number at all, and no state",
            "0000000000000000009{oops",
            "0000000000000000009{oops\n")) {
      Files.writeString(file, broken);
      assertThatThrownBy(() -> open("").jobs().list(OWNER))
          .isInstanceOf(BackendException.Transient.class)
          .hasMessageContaining(file.toString());
      assertThat(file).hasContent(broken);
    }
  }
}
