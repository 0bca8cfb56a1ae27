package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.model.Secret;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimJobsTest {
  private final SimFixture sim = SimFixture.of("");

  @Test
  void a_container_boots_runs_and_ends() {
    assertThat(sim.jobs().start(job("a", "echo hello", "sleep 3", "exit 4")))
        .isEqualTo(SettableClock.START);
    assertThat(sim.observe("a")).isEqualTo(new JobObservation.Prepared());
    assertThat(sim.output("a")).isEmpty();

    sim.clock.passSeconds(2);
    assertThat(sim.observe("a"))
        .isEqualTo(new JobObservation.Running(SettableClock.START.plusSeconds(2)));
    assertThat(sim.output("a")).isEqualTo("hello\n");

    sim.clock.passSeconds(3);
    assertThat(sim.observe("a"))
        .isEqualTo(
            new JobObservation.Exited(
                4,
                Cause.EXITED,
                "",
                SettableClock.START.plusSeconds(2),
                SettableClock.START.plusSeconds(5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          echo one two                | one two\\n     |          | 0 | 0
          echo 'a  b'                 | a  b\\n        |          | 0 | 0
          echo "x $NAME ${NAME}y"     | x sim simy\\n  |          | 0 | 0
          echo '$NAME'                | $NAME\\n       |          | 0 | 0
          echo oops >&2               | ``             | oops\\n  | 0 | 0
          seq 2 4                     | 2\\n3\\n4\\n   |          | 0 | 0
          seq 2                       | 1\\n2\\n       |          | 0 | 0
          sleep 1.5                   | ``             |          | 0 | 1500
          sleep 2s; echo late         | late\\n        |          | 0 | 2000
          sleep 1 && sleep 1m         | ``             |          | 0 | 61000
          exit 3; echo never          | ``             |          | 3 | 0
          true; false                 | ``             |          | 1 | 0
          train --epochs 3            | sim: train --epochs 3\\n | | 0 | 100
          # nothing                   | ``             |          | 0 | 1000
          """)
  void commands_do_what_they_say(
      String command, String output, String errors, int code, long milliseconds) {
    sim.jobs().start(job("a").with(spec(Map.of("NAME", "sim"), null, command)));
    sim.clock.pass(Duration.ofSeconds(2).plusMillis(milliseconds).minusNanos(1));
    assertThat(sim.observe("a")).isNotInstanceOf(JobObservation.Exited.class);
    sim.clock.pass(Duration.ofNanos(1));

    assertThat(sim.end("a").code()).isEqualTo(code);
    assertThat(sim.output("a")).isEqualTo(output.replace("\\n", "\n"));
    assertThat(sim.errors("a")).isEqualTo(errors == null ? "" : errors.replace("\\n", "\n"));
  }

  @Test
  void output_is_read_by_offset_and_ends_with_the_job() {
    sim.jobs().start(job("a", "seq 1 3", "sleep 1", "echo end"));
    sim.clock.passSeconds(2);
    JobRuntime.Output first = sim.jobs().read("a", JobRuntime.Stream.STDOUT, 2, 3);
    assertThat(SimFixture.text(first)).isEqualTo("2\n3");
    assertThat(first.nextOffset()).isEqualTo(5);
    assertThat(first.ended()).isFalse();

    JobRuntime.Output nothing = sim.jobs().read("a", JobRuntime.Stream.STDOUT, 6, 100);
    assertThat(nothing.bytes()).isEmpty();
    assertThat(nothing.nextOffset()).isEqualTo(6);

    sim.clock.passSeconds(1);
    assertThat(sim.jobs().read("a", JobRuntime.Stream.STDOUT, 6, 2).ended()).isFalse();
    JobRuntime.Output last = sim.jobs().read("a", JobRuntime.Stream.STDOUT, 8, 100);
    assertThat(SimFixture.text(last)).isEqualTo("d\n");
    assertThat(last.ended()).isTrue();
  }

  @Test
  void a_stopped_job_ends_at_once_and_says_no_more() {
    sim.jobs().start(job("a", "echo one", "sleep 10", "echo two"));
    sim.clock.passSeconds(3);
    sim.jobs().stop("a", Duration.ofMinutes(1));
    assertThat(sim.end("a").cause()).isEqualTo(Cause.STOPPED);
    assertThat(sim.end("a").code()).isEqualTo(143);
    sim.clock.passSeconds(100);
    assertThat(sim.output("a")).isEqualTo("one\n");
  }

  @Test
  void a_job_that_ignores_the_signal_lives_as_long_as_the_shortest_grace() {
    sim.jobs().start(job("a", "trap '' TERM", "sleep 100"));
    sim.clock.passSeconds(3);
    sim.jobs().stop("a", Duration.ofSeconds(30));
    sim.jobs().stop("a", Duration.ofSeconds(60));
    assertThat(sim.observe("a")).isInstanceOf(JobObservation.Running.class);
    sim.clock.passSeconds(10);
    sim.jobs().stop("a", Duration.ofSeconds(10));
    sim.clock.passSeconds(10);
    assertThat(sim.end("a").cause()).isEqualTo(Cause.KILLED);
    assertThat(sim.end("a").code()).isEqualTo(137);
  }

  @Test
  void a_job_that_is_stopped_before_it_starts_never_runs() {
    sim.jobs().start(job("a", "echo one"));
    sim.jobs().stop("a", Duration.ofSeconds(5));
    assertThat(sim.end("a"))
        .isEqualTo(new JobObservation.Exited(null, Cause.STOPPED, "", null, SettableClock.START));
    sim.clock.passSeconds(10);
    assertThat(sim.output("a")).isEmpty();
  }

  @Test
  void a_killed_job_is_over_when_the_call_returns() {
    sim.jobs().start(job("a", "trap '' TERM", "sleep 100"));
    sim.clock.passSeconds(5);
    sim.jobs().kill("a");
    sim.jobs().kill("a");
    assertThat(sim.end("a").cause()).isEqualTo(Cause.KILLED);
  }

  @Test
  void a_job_that_has_ended_keeps_its_end() {
    sim.jobs().start(job("a", "exit 3"));
    sim.clock.passSeconds(5);
    sim.jobs().stop("a", Duration.ZERO);
    sim.jobs().kill("a");
    assertThat(sim.end("a").code()).isEqualTo(3);
    assertThat(sim.end("a").cause()).isEqualTo(Cause.EXITED);
  }

  @Test
  void a_job_does_not_take_longer_than_its_limit() {
    sim.jobs().start(job("a").with(spec(Map.of(), Duration.ofSeconds(4), "sleep 100")));
    sim.clock.passSeconds(6);
    assertThat(sim.end("a").cause()).isEqualTo(Cause.MAX_DURATION_EXCEEDED);
    assertThat(sim.end("a").endedAt()).isEqualTo(SettableClock.START.plusSeconds(6));
  }

  @Test
  void a_removed_job_is_gone_and_its_key_starts_nothing_again() {
    sim.jobs().start(job("a", "sleep 10"));
    sim.jobs().start(job("b", "sleep 10"));
    assertThat(sim.jobs().list(OWNER)).containsExactly("a", "b");
    sim.jobs().remove("a");
    sim.jobs().remove("a");
    assertThat(sim.jobs().list(OWNER)).containsExactly("b");
    assertThat(sim.observe("a")).isEqualTo(new JobObservation.Absent());
    assertThatThrownBy(() -> sim.output("a")).isInstanceOf(BackendException.Gone.class);
    assertThatThrownBy(() -> sim.jobs().start(job("a", "sleep 10")))
        .isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void what_is_not_known_is_absent_and_ended_in_silence() {
    sim.jobs().stop("x", Duration.ZERO);
    sim.jobs().kill("x");
    sim.jobs().remove("x");
    assertThat(sim.observe("x")).isEqualTo(new JobObservation.Absent());
    assertThatThrownBy(() -> sim.jobs().describe("x")).isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void a_wrong_password_of_the_registry_keeps_the_job_from_starting() {
    Container locked =
        Container.of("private/image")
            .withRegistry(new Container.Registry("me", Secret.of("wrong")));
    sim.jobs().start(job("a", "echo one").in(locked));
    sim.clock.passSeconds(2);
    assertThat(sim.end("a").cause()).isEqualTo(Cause.START_FAILED);
    assertThat(sim.end("a").code()).isNull();
    assertThat(sim.output("a")).isEmpty();
  }

  @Test
  void the_entrypoint_runs_where_there_are_no_commands() {
    sim.jobs().start(job("a").in(Container.of("image").withEntrypoint("echo entered")));
    sim.clock.passSeconds(2);
    assertThat(sim.output("a")).isEqualTo("entered\n");
  }

  @Test
  void rewriting_marks_the_environment_and_nothing_else() {
    var rewritten = sim.compute.rewriting().orElseThrow().rewrite(job("a", "echo $BERTH_SIM"));
    assertThat(rewritten.attemptId()).isEqualTo("a");
    sim.jobs().start(rewritten);
    sim.clock.passSeconds(2);
    assertThat(sim.output("a")).isEqualTo("1\n");
  }

  @Test
  void a_running_job_takes_commands() throws Exception {
    sim.jobs().start(job("a", "sleep 10"));
    assertThatThrownBy(() -> sim.jobs().exec("a", List.of("echo", "x")))
        .isInstanceOf(BackendException.Gone.class);
    sim.clock.passSeconds(2);
    try (Execution echo = sim.jobs().exec("a", List.of("echo", "x"))) {
      assertThat(echo.output().readAllBytes()).asString().isEqualTo("x\n");
      assertThat(echo.exitCode()).isZero();
    }
    try (Execution exit = sim.jobs().exec("a", List.of("sh", "-c", "echo no >&2; exit 3"))) {
      assertThat(exit.errors().readAllBytes()).asString().isEqualTo("no\n");
      assertThat(exit.exitCode()).isEqualTo(3);
    }
    try (Execution cat = sim.jobs().exec("a", List.of("cat"))) {
      cat.input().write("through".getBytes(StandardCharsets.UTF_8));
      cat.input().close();
      assertThat(cat.output().readAllBytes()).asString().isEqualTo("through");
      assertThat(cat.exitCode()).isZero();
    }
  }

  @Test
  void a_port_of_a_running_job_gives_back_what_is_sent() throws Exception {
    sim.jobs().start(job("a", "sleep 10").in(Container.of("image").withPorts(List.of(8080))));
    sim.clock.passSeconds(2);
    try (ByteChannel channel = sim.jobs().connect("a", 8080)) {
      channel.write(ByteBuffer.wrap("ping".getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(10);
      assertThat(channel.read(answer)).isEqualTo(4);
    }
    assertThatThrownBy(() -> sim.jobs().connect("a", 9090))
        .isInstanceOf(BackendException.Transient.class);
  }

  @Test
  void jobs_run_on_machines_where_machines_are_given() {
    SimFixture machines = SimFixture.of("gives: machines");
    assertThatThrownBy(() -> machines.jobs().start(job("a", "echo one")))
        .isInstanceOf(BackendException.Permanent.class);
    var made = machines.create(SimFixture.machine("m", PLACE));
    var request = job("a", "sleep 5", "echo one").at(PLACE.on(made.ref().id()));
    assertThatThrownBy(() -> machines.jobs().start(request))
        .isInstanceOf(BackendException.Transient.class);
    machines.clock.passSeconds(2);
    machines.jobs().start(request);
    assertThat(machines.observe("a")).isInstanceOf(JobObservation.Running.class);

    machines.provisioner().delete(made.ref());
    assertThat(machines.end("a").cause()).isEqualTo(Cause.KILLED);
    machines.clock.passSeconds(1);
    assertThat(machines.observe("a")).isEqualTo(new JobObservation.Absent());
    assertThatThrownBy(() -> machines.jobs().start(job("b").at(PLACE.on(made.ref().id()))))
        .isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void containers_do_not_run_on_machines() {
    assertThatThrownBy(() -> sim.jobs().start(job("a").at(PLACE.on("i-000001"))))
        .isInstanceOfSatisfying(
            BackendException.Unsupported.class,
            refused -> assertThat(refused.trait()).isEqualTo(Trait.REUSE));
    assertThatThrownBy(() -> sim.create(SimFixture.machine("m", PLACE)))
        .isInstanceOf(BackendException.Permanent.class);
  }
}
