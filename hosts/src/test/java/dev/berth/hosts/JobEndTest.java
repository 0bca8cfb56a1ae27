package dev.berth.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.Observation.Absent;
import dev.berth.hosts.Observation.Exited;
import dev.berth.hosts.Observation.Lost;
import dev.berth.hosts.Observation.Prepared;
import dev.berth.hosts.Observation.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
          Long.parseLong(Files.readString(jobs.directory("tree").file("work/daemon")).strip());
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
      try (FileGrowth growth = new FileGrowth(jobs.directory("slow").file("stdout"))) {
        growth.await(text -> text.contains("asked"), Duration.ofSeconds(30));
      }
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
      JobSpec spec =
          JobFixture.spec("long", "trap 'echo asked' TERM", "while :; do sleep 1000 & wait; done");
      Exited exited =
          jobs.run(JobFixture.with(spec, Map.of(), Duration.ofMillis(300), Duration.ofMillis(400)));
      assertThat(exited.reason()).isEqualTo(ExitReason.MAX_DURATION_EXCEEDED);
      assertThat(exited.code()).hasValue(137);
      assertThat(jobs.text("long")).isEqualTo("asked\n");
      assertThat(Duration.between(exited.startedAt().orElseThrow(), exited.endedAt()))
          .isGreaterThan(Duration.ofMillis(600));
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
                  "sh", scriptOf(jobs).toString(), "run", jobs.directory("early").path().toString())
              .start();
      assertThat(late.waitFor()).isZero();
      assertThat(jobs.text("early")).isEmpty();
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
      ProcessHandle.of(runner).orElseThrow().destroyForcibly();
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
      ProcessHandle watcher =
          ProcessHandle.of(
                  ProcessIdentity.parse(jobs.directory("unwatched").text("watcher").orElseThrow())
                      .orElseThrow()
                      .pid())
              .orElseThrow();
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
          .ifPresent(hidden -> hidden.onExit().orTimeout(20, TimeUnit.SECONDS).join());
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
      jobs.launch(JobFixture.spec("deleted", "echo ready; sleep 1000"));
      Running running = jobs.awaitFirstLine("deleted");
      ProcessHandle job = ProcessHandle.of(running.pid()).orElseThrow();
      Path hidden = folder.resolve("elsewhere");
      Files.move(jobs.directory("deleted").path(), hidden);
      Files.delete(hidden.resolve("spec"));
      job.onExit().get();
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
