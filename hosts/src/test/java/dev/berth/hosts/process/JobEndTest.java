package dev.berth.hosts.process;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.ShellJob;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** However a job ends, nothing of it is left. */
final class JobEndTest {
  /**
   * Leaves a process behind that is in no way connected to the job any more: new session, parent
   * ended.
   */
  private static final String DAEMON =
      "( setsid sh -c 'trap \"\" HUP; echo $$ >daemon; sleep 1000 & wait' >/dev/null 2>&1 & )";

  @TempDir Path folder;

  static Stream<Arguments> everyShellWithAndWithoutCgroups() {
    return Stream.of(JobShell.values())
        .flatMap(shell -> Stream.of(Arguments.of(shell, true), Arguments.of(shell, false)));
  }

  private JobFixture fixture(JobShell shell, boolean cgroups) {
    return new JobFixture(folder, shell, cgroups ? Cgroups.detect() : Cgroups.none());
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void stopEndsTheWholeTree(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.launch(
          JobFixture.spec(
              "tree",
              DAEMON,
              "until [ -s daemon ]; do sleep 0.02; done",
              "cat daemon; sleep 1000 & wait"));
      Running running = jobs.awaitFirstLine("tree");
      long daemon =
          Long.parseLong(
              Files.readString(path(jobs.directory("tree").file("work/daemon"))).strip());
      assertThat(jobs.processes("tree")).contains(running.pid(), daemon);
      jobs.runtime.stop("tree", Duration.ofSeconds(30));
      Exited exited = jobs.awaitExit("tree");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(143);
      assertThat(jobs.processes("tree")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void whoIsBornWhileTheOthersAreAskedIsAskedToo(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.launch(
          JobFixture.spec(
              "late", "trap 'sleep 1000 & exit 7' TERM", "sleep 1000 & echo ready; wait"));
      jobs.awaitFirstLine("late");
      jobs.runtime.stop("late", Duration.ofDays(1));
      Exited exited = jobs.awaitExit("late");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(7);
      assertThat(jobs.processes("late")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void whoBecomesAnotherProgramAfterItWasAskedIsAskedAgain(JobShell shell, boolean cgroups)
      throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.launch(
          JobFixture.spec(
              "other",
              "trap 'exit 7' TERM",
              "sh -c 'trap : TERM; sleep 1000 & echo ready; wait; exec sleep 1000' & wait"));
      jobs.awaitFirstLine("other");
      jobs.runtime.stop("other", Duration.ofDays(1));
      Exited exited = jobs.awaitExit("other");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(7);
      assertThat(jobs.processes("other")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void whatAJobLeavesBehindIsKilledAndItsCodeKept(JobShell shell, boolean cgroups)
      throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      Exited exited = jobs.run(JobFixture.spec("left", DAEMON, "sleep 1000 & exit 6"));
      assertThat(exited.reason()).isEqualTo(ExitReason.EXITED);
      assertThat(exited.code()).hasValue(6);
      assertThat(jobs.processes("left")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void aTreeThatIgnoresTermIsKilledAfterTheGrace(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.launch(
          JobFixture.spec(
              "stubborn", "trap '' TERM", DAEMON, "echo ready; while :; do sleep 1000; done"));
      jobs.awaitFirstLine("stubborn");
      long before = System.nanoTime();
      jobs.runtime.stop("stubborn", Duration.ofMillis(700));
      Exited exited = jobs.awaitExit("stubborn");
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThanOrEqualTo(Duration.ofMillis(690));
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(137);
      assertThat(jobs.processes("stubborn")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void killNeedsNoGrace(JobShell shell) throws Exception {
    try (JobFixture jobs = fixture(shell, true)) {
      jobs.launch(
          JobFixture.spec(
              "killed", "trap 'echo asked' TERM", "echo ready; while :; do sleep 1000; done"));
      jobs.awaitFirstLine("killed");
      jobs.runtime.kill("killed");
      Exited exited = jobs.awaitExit("killed");
      assertThat(exited.reason()).isEqualTo(ExitReason.KILLED);
      assertThat(exited.code()).hasValue(137);
      assertThat(jobs.text("killed")).isEqualTo("ready\n");
      jobs.runtime.kill("killed");
      jobs.runtime.stop("killed", Duration.ZERO);
      assertThat(jobs.state("killed")).isEqualTo(exited);
    }
  }

  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void termIsSentOnce(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.launch(
          JobFixture.spec(
              "polite", "trap 'echo asked' TERM", "echo ready; while :; do sleep 0.05; done"));
      jobs.awaitFirstLine("polite");
      jobs.runtime.stop("polite", Duration.ofDays(1));
      jobs.awaitOutput("polite", "asked");
      jobs.runtime.stop("polite", Duration.ofMillis(600));
      jobs.awaitExit("polite");
      assertThat(jobs.text("polite")).isEqualTo("ready\nasked\n");
    }
  }

  @Test
  void killShortensAStopThatIsUnderWay() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(
          JobFixture.spec(
              "slow", "trap 'echo asked' TERM", "echo ready; while :; do sleep 1000 & wait; done"));
      jobs.awaitFirstLine("slow");
      jobs.runtime.stop("slow", Duration.ofDays(1));
      jobs.awaitOutput("slow", "asked");
      jobs.runtime.stop("slow", Duration.ofDays(2));
      jobs.runtime.kill("slow");
      assertThat(jobs.awaitExit("slow").reason()).isEqualTo(ExitReason.KILLED);
    }
  }

  @Test
  void theRestOfATreeKeepsItsGraceWhenTheMainCommandEndsFirst() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      // The main shell dies of TERM at once; its child needs three seconds, which is more than
      // leftovers get.
      jobs.launch(
          JobFixture.spec(
              "checkpoint",
              "sh -c 'trap \"sleep 3; echo saved; exit\" TERM; echo ready; while :; do sleep 1000 &"
                  + " wait $!; done' &",
              "wait"));
      jobs.awaitFirstLine("checkpoint");
      jobs.runtime.stop("checkpoint", Duration.ofSeconds(50));
      Exited exited = jobs.awaitExit("checkpoint");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(jobs.text("checkpoint")).isEqualTo("ready\nsaved\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  void maxDurationEndsTheJob(JobShell shell) throws Exception {
    try (JobFixture jobs = fixture(shell, true)) {
      ShellJob spec =
          JobFixture.spec("long", "trap 'echo asked' TERM", "while :; do sleep 1000 & wait; done");
      Instant before = Instant.now();
      Exited exited =
          jobs.run(JobFixture.with(spec, Map.of(), Duration.ofSeconds(1), Duration.ofSeconds(2)));
      assertThat(exited.reason()).isEqualTo(ExitReason.MAX_DURATION_EXCEEDED);
      assertThat(exited.code()).hasValue(137);
      assertThat(jobs.text("long")).isEqualTo("asked\n");
      assertThat(Duration.between(before, exited.endedAt())).isGreaterThan(Duration.ofMillis(2900));
    }
  }

  @Test
  void aJobStoppedBeforeItsStartNeverRuns() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.runtime.prepare(JobFixture.spec("early", "echo ran"));
      assertThat(jobs.state("early")).isInstanceOf(Prepared.class);
      jobs.runtime.stop("early", Duration.ofSeconds(5));
      jobs.runtime.start("early");
      Exited exited = jobs.awaitExit("early");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).isEmpty();
      // A runner that was already on its way finds the claim taken.
      Process late =
          new ProcessBuilder(
                  "sh",
                  scriptOf(jobs).toString(),
                  "run",
                  path(jobs.directory("early").path()).toString())
              .start();
      assertThat(late.waitFor()).isZero();
      assertThat(jobs.text("early")).isEmpty();
    }
  }

  /** From its start until it has become the job's shell a process carries no mark of the job. */
  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void aJobIsAskedToEndInTheMidstOfItsStart(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.runtime.prepare(JobFixture.spec("starting", "sleep 1000"));
      // The runner says here that the job starts, and waits until somebody listens.
      Path event = jobs.root.resolve("events/starting");
      assertThat(new ProcessBuilder("mkfifo", event.toString()).start().waitFor()).isZero();
      jobs.runtime.start("starting");
      jobs.awaitFile("starting", "process", text -> text.endsWith("\n"));
      jobs.runtime.stop("starting", Duration.ofDays(1));
      jobs.awaitFile("starting", "exit", text -> text.endsWith("\n"));
      Exited exited = jobs.awaitExit("starting");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(143);
      assertThat(jobs.processes("starting")).isEmpty();
      // It also says that the job has ended, and must be gone before nobody listens any more.
      try (RandomAccessFile _ = new RandomAccessFile(event.toFile(), "rw")) {
        jobs.runtime.remove("starting");
      }
    }
  }

  /** There is nobody yet who could be asked when the request comes. */
  @ParameterizedTest
  @MethodSource("everyShellWithAndWithoutCgroups")
  void aJobThatHasNoProcessYetIsAskedWhenItHas(JobShell shell, boolean cgroups) throws Exception {
    try (JobFixture jobs = fixture(shell, cgroups)) {
      jobs.runtime.prepare(JobFixture.spec("early", "sleep 1000"));
      // The runner takes the job's variables before it starts it, and waits for them here.
      Path variables = path(jobs.directory("early").file("job.env"));
      String text = Files.readString(variables);
      Files.delete(variables);
      assertThat(new ProcessBuilder("mkfifo", variables.toString()).start().waitFor()).isZero();
      jobs.runtime.start("early");
      // Is open when the runner is there.
      try (Writer writer = Files.newBufferedWriter(variables)) {
        jobs.runtime.stop("early", Duration.ofDays(1));
        jobs.awaitFile("early", "ending", line -> line.endsWith("\n"));
        writer.write(text);
      }
      Exited exited = jobs.awaitExit("early");
      assertThat(exited.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(exited.code()).hasValue(143);
      assertThat(jobs.processes("early")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aJobWhoseRunnerIsKilledIsLostAndItsTreeEnded(JobShell shell) throws Exception {
    try (JobFixture jobs = fixture(shell, false)) {
      jobs.launch(JobFixture.spec("orphan", DAEMON, "echo ready; sleep 1000"));
      jobs.awaitFirstLine("orphan");
      long runner =
          ProcessIdentity.parse(jobs.directory("orphan").text("runner").orElseThrow())
              .orElseThrow()
              .pid();
      ProcessHandle handle = ProcessHandle.of(runner).orElseThrow();
      handle.destroyForcibly();
      handle.onExit().get();
      jobs.await("orphan", Lost.class::isInstance);
      jobs.runtime.kill("orphan");
      assertThat(jobs.processes("orphan")).isEmpty();
      assertThat(jobs.state("orphan")).isInstanceOf(Lost.class);
      jobs.runtime.start("orphan");
      assertThat(jobs.processes("orphan")).isEmpty();
    }
  }

  @Test
  void aJobWhoseWatcherIsKilledCanStillBeStopped() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(JobFixture.spec("unwatched", "echo ready; sleep 1000"));
      jobs.awaitFirstLine("unwatched");
      // The watcher comes up beside the job, and may be the later of the two.
      String line = jobs.awaitFile("unwatched", "watcher", text -> text.endsWith("\n"));
      ProcessHandle watcher =
          ProcessHandle.of(ProcessIdentity.parse(line).orElseThrow().pid()).orElseThrow();
      List<ProcessHandle> naps = watcher.children().toList();
      watcher.destroyForcibly();
      naps.forEach(ProcessHandle::destroyForcibly);
      watcher.onExit().get();
      jobs.runtime.stop("unwatched", Duration.ofSeconds(30));
      assertThat(jobs.awaitExit("unwatched").reason()).isEqualTo(ExitReason.STOPPED);
    }
  }

  @Test
  void aCgroupFindsWhatHidesFromEverythingElse() throws Exception {
    assumeTrue(!JobFixture.probe(null).groups().isEmpty(), "no cgroup is ours to divide");
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(
          JobFixture.spec(
              "hidden",
              "while [ ! -e ../tracked ]; do sleep 0.02; done",
              "(env -i setsid sleep 1000 >/dev/null 2>&1 & echo $!)",
              "wait; exit 2"));
      Exited exited = jobs.awaitExit("hidden");
      assertThat(exited.code()).hasValue(2);
      // It may remain a zombie until the first process of the machine takes note.
      ProcessHandle.of(Long.parseLong(jobs.text("hidden").strip()))
          .ifPresent(hidden -> hidden.onExit().orTimeout(1, TimeUnit.MINUTES).join());
    }
  }

  @Test
  void removingARunningJobLeavesNothing() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(JobFixture.spec("removed", DAEMON, "echo ready; sleep 1000"));
      jobs.awaitFirstLine("removed");
      List<String> groups = jobs.directory("removed").lines("cgroups");
      jobs.runtime.remove("removed");
      assertThat(jobs.state("removed")).isEqualTo(new Absent());
      assertThat(jobs.processes("removed")).isEmpty();
      assertThat(groups).allSatisfy(group -> assertThat(Path.of(group)).doesNotExist());
      jobs.runtime.remove("removed");
      jobs.runtime.kill("removed");
    }
  }

  @Test
  void aJobWhoseDirectoryIsDeletedIsEnded() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.launch(JobFixture.spec("deleted", "sleep 1000 & echo $!; wait"));
      long shell = jobs.awaitFirstLine("deleted").pid();
      long child = Long.parseLong(jobs.directory("deleted").text("stdout").orElseThrow().strip());
      Path hidden = folder.resolve("elsewhere");
      Files.move(path(jobs.directory("deleted").path()), hidden);
      Files.delete(hidden.resolve("spec"));
      // They are killed one after the other.
      for (long process : List.of(shell, child)) {
        ProcessHandle.of(process).ifPresent(one -> one.onExit().join());
      }
      assertThat(jobs.state("deleted")).isEqualTo(new Absent());
    }
  }

  static Path scriptOf(JobFixture jobs) throws Exception {
    try (Stream<Path> files = Files.list(jobs.root)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("runner-"))
          .findFirst()
          .orElseThrow();
    }
  }
}
