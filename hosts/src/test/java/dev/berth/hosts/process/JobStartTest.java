package dev.berth.hosts.process;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.InputFile;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobObserver;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.ShellJob;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job is started at most once, belongs to nobody in particular, and is shut off from other users.
 */
final class JobStartTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void concurrentStartsRunTheJobOnce(JobShell shell) throws Exception {
    try (JobFixture jobs = new JobFixture(folder, shell, Cgroups.detect());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ProcessRuntime other =
          new ProcessRuntime(JobFixture.settings(jobs.root, shell, Cgroups.detect()));
      ShellJob spec = JobFixture.spec("once", "echo run");
      CountDownLatch gate = new CountDownLatch(1);
      List<Future<?>> starts = new ArrayList<>();
      for (int number = 0; number < 20; number++) {
        ProcessRuntime runtime = number % 2 == 0 ? jobs.runtime : other;
        starts.add(
            threads.submit(
                () -> {
                  gate.await();
                  runtime.prepare(spec);
                  runtime.start("once");
                  return null;
                }));
      }
      gate.countDown();
      for (Future<?> start : starts) {
        start.get();
      }
      assertThat(jobs.awaitExit("once").code()).hasValue(0);
      other.start("once");
      assertThat(jobs.text("once")).isEqualTo("run\n");
    }
  }

  @Test
  void anotherRuntimeAdoptsRunningJobs() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(JobFixture.spec("adopted", "echo ready; sleep 1000"));
      jobs.awaitFirstLine("adopted");
      ProcessRuntime other =
          new ProcessRuntime(JobFixture.settings(jobs.root, JobShell.BASH, Cgroups.none()));
      assertThat(other.observeAll())
          .containsExactly(new Observation("adopted", jobs.state("adopted"), List.of()));
      assertThat(other.read("adopted", OutputStreamName.STDOUT, 3, 100).bytes())
          .isEqualTo("dy\n".getBytes(StandardCharsets.UTF_8));
      other.stop("adopted", Duration.ofSeconds(10));
      assertThat(jobs.awaitExit("adopted").reason()).isEqualTo(ExitReason.STOPPED);
    }
  }

  /** Started as a JVM of its own: starts a job, says so, and waits to be killed. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] arguments) throws Exception {
      ProcessRuntime runtime =
          new ProcessRuntime(
              JobFixture.settings(Path.of(arguments[0]), JobShell.DASH, Cgroups.detect()));
      runtime.prepare(
          JobFixture.spec(
              "survivor", "echo ready", "while [ ! -e go ]; do sleep 0.05; done", "exit 5"));
      runtime.start("survivor");
      System.out.write('\n');
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aJobSurvivesTheDeathOfItsStarter() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Process starter =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Starter.class.getName(),
                  jobs.root.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (InputStream output = starter.getInputStream()) {
        assertThat(output.read()).isEqualTo('\n');
        jobs.awaitFirstLine("survivor");
      } finally {
        starter.destroyForcibly().waitFor();
      }
      assertThat(jobs.state("survivor")).isInstanceOf(Running.class);
      Files.createFile(path(jobs.directory("survivor").file("work")).resolve("go"));
      Exited exited = jobs.awaitExit("survivor");
      assertThat(exited.code()).hasValue(5);
      assertThat(exited.reason()).isEqualTo(ExitReason.EXITED);
    }
  }

  @Test
  void aRunnerHasItsOwnSessionAndNoTerminal() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(JobFixture.spec("session", "echo ready; sleep 1000"));
      Running running = jobs.awaitFirstLine("session");
      long runner =
          ProcessIdentity.parse(jobs.directory("session").text("runner").orElseThrow())
              .orElseThrow()
              .pid();
      for (long leader : List.of(runner, running.pid())) {
        String stat = Files.readString(Path.of("/proc/" + leader + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        assertThat(fields[2]).as("process group").isEqualTo(String.valueOf(leader));
        assertThat(fields[3]).as("session").isEqualTo(String.valueOf(leader));
        assertThat(fields[4]).as("terminal").isEqualTo("0");
        assertThat(Files.readSymbolicLink(Path.of("/proc/" + leader + "/fd/0")))
            .isEqualTo(Path.of("/dev/null"));
      }
    }
  }

  @Test
  void onlyTheOwnerSeesAJob() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.runtime.prepare(
          JobFixture.with(
              JobFixture.spec("private", "true"), Map.of("S", "x"), Duration.ZERO, null));
      JobDirectory directory = jobs.directory("private");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(path(directory.path()))))
          .isEqualTo("rwx------");
      for (String name : List.of("job.env", "commands", "spec", "stdout", "stderr")) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(path(directory.file(name)))))
            .as(name)
            .isEqualTo("rw-------");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "../x", "a/b", "/etc", ".hidden", "-rf", "a\nb", "a b", "ä", "a\0"})
  void hostileIdsAreRefused(String id) throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      assertInvalid(() -> JobFixture.spec(id, "true"));
      assertInvalid(() -> jobs.runtime.start(id));
      assertInvalid(() -> jobs.runtime.remove(id));
      assertInvalid(() -> jobs.runtime.kill(id));
      assertInvalid(() -> jobs.runtime.observe(List.of(id)));
      assertInvalid(() -> jobs.runtime.read(id, OutputStreamName.STDOUT, 0, 1));
    }
  }

  private static void assertInvalid(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HostException.class,
            failure -> assertThat(failure.code()).isEqualTo(HostException.Code.INVALID));
  }

  @Test
  void badVariablesAndTargetsAreRefused() {
    assertInvalid(
        () ->
            JobFixture.with(
                JobFixture.spec("x", "true"), Map.of("A;id", "1"), Duration.ZERO, null));
    assertInvalid(
        () ->
            JobFixture.with(JobFixture.spec("x", "true"), Map.of("A", "\0"), Duration.ZERO, null));
    assertInvalid(() -> new InputFile(MachinePath.of("a/../../b"), path(folder)));
    assertInvalid(() -> JobFixture.spec("x"));
  }

  @Test
  void startingWhatIsNotPreparedIsRefused() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      assertThatThrownBy(() -> jobs.runtime.start("unknown"))
          .isInstanceOfSatisfying(
              HostException.class,
              failure -> assertThat(failure.code()).isEqualTo(HostException.Code.ABSENT));
    }
  }

  @Test
  void aMissingInputLeavesNoDirectory() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      ShellJob spec =
          new ShellJob(
              "input",
              "sh",
              List.of("true"),
              null,
              Map.of(),
              Duration.ZERO,
              null,
              null,
              null,
              List.of(new InputFile(MachinePath.of("a"), path(folder.resolve("missing")))));
      assertThatThrownBy(() -> jobs.runtime.prepare(spec)).isInstanceOf(HostException.class);
      assertThat(jobs.runtime.observeAll()).isEmpty();
    }
  }

  @Test
  void whatAKilledServerLeftHalfPreparedIsDeletedWhenItIsOld() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      Path old = Files.createDirectories(jobs.root.resolve("jobs/.new1"));
      Path recent = Files.createDirectories(jobs.root.resolve("jobs/.new2"));
      Files.createFile(old.resolve("spec"));
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
      assertThat(
              new ProcessRuntime(JobFixture.settings(jobs.root, JobShell.DASH, Cgroups.none()))
                  .observeAll())
          .isEmpty();
      assertThat(old).doesNotExist();
      assertThat(recent).exists();
      Files.delete(recent);
    }
  }

  @Test
  void aJobPreparedBeforeTheMachineRestartedIsLost() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.runtime.prepare(JobFixture.spec("rebooted", "echo ran"));
      assertThat(jobs.state("rebooted")).isEqualTo(new Prepared());
      Files.writeString(path(jobs.directory("rebooted").file("prepared")), "another-boot");
      jobs.runtime.start("rebooted");
      assertThat(jobs.state("rebooted")).isInstanceOf(Lost.class);
    }
  }

  @Test
  void aDeadRunnerOfAnotherServerIsLostOnceItsHeartbeatIsOld() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.runtime.prepare(JobFixture.spec("silent", "true"));
      JobDirectory directory = jobs.directory("silent");
      directory.create(
          "runner", "1 999999999999 " + ThisMachine.ACCESS.processes().bootId() + "\n");
      directory.create("process", "1 999999999999\n");
      directory.create("heartbeat", "");
      assertThat(jobs.state("silent")).isInstanceOf(Running.class);
      Files.setLastModifiedTime(
          path(directory.file("heartbeat")),
          FileTime.from(Instant.now().minus(JobObserver.HEARTBEAT_STALE).minusSeconds(1)));
      assertThat(jobs.state("silent")).isInstanceOf(Lost.class);
    }
  }
}
