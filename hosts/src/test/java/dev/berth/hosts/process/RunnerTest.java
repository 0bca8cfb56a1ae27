package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.access.local.Cgroups;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.OutputStreamName;
import dev.berth.hosts.jobdir.UsageSample;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the runner writes while a job runs, and that it is plain POSIX sh. */
final class RunnerTest {
  @TempDir Path folder;

  @Test
  void scriptIsPosix() throws Exception {
    Path shellcheck = Path.of("/usr/bin/shellcheck");
    assumeTrue(Files.isExecutable(shellcheck), "this machine has no shellcheck");
    try (JobFixture jobs = new JobFixture(folder)) {
      Process check =
          new ProcessBuilder(
                  shellcheck.toString(), "-s", "sh", JobEndTest.scriptOf(jobs).toString())
              .redirectErrorStream(true)
              .start();
      String findings = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(check.waitFor()).as(findings).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void notesHeartbeatSizesAndUsage(JobShell shell) throws Exception {
    for (Cgroups cgroups : List.of(Cgroups.detect(), Cgroups.none())) {
      try (JobFixture jobs = new JobFixture(folder, shell, cgroups)) {
        jobs.launch(JobFixture.spec("noted", "echo ready; sh -c 'while :; do :; done'"));
        jobs.awaitFirstLine("noted");
        // Output that comes between a beat and its sample is noted by the next beat.
        jobs.awaitFile("noted", "index", text -> text.endsWith("\n"));
        // A job that has just begun may have used nothing yet.
        jobs.awaitFile("noted", "metrics", text -> text.matches("(?s).*\\d+ [1-9]\\d* \\d+\n"));
        UsageSample sample = jobs.runtime.samples("noted").getLast();
        assertThat(sample.processorTime()).isPositive();
        assertThat(sample.memoryBytes()).isBetween(100_000L, 100_000_000L);
        assertThat(jobs.runtime.timeIndex("noted").getFirst().sizes())
            .isEqualTo(new OutputSizes(6, 0));
        assertThat(jobs.directory("noted").modified("heartbeat")).isPresent();
        jobs.runtime.kill("noted");
        jobs.awaitExit("noted");
      }
    }
  }

  /** Output may come at any moment of a look, also when no more follows that would bring it up. */
  @ParameterizedTest
  @EnumSource
  void noLookMissesOutputThatComesMeanwhile(JobShell shell) throws Exception {
    String script;
    try (JobFixture jobs = new JobFixture(folder)) {
      script = Files.readString(JobEndTest.scriptOf(jobs));
    }
    int start = script.indexOf("\nbeat() {");
    String beat = script.substring(start, script.indexOf("\n}\n", start) + 3);
    for (int moment = 1; moment <= 2; moment++) {
      Path job = Files.createDirectories(folder.resolve(shell + "-" + moment));
      Process looks =
          new ProcessBuilder(shell.command())
              .directory(job.toFile())
              .redirectErrorStream(true)
              .start();
      try (var input = looks.outputWriter(StandardCharsets.UTF_8)) {
        // The look's own writes are the moments at which the job can be made to write, too.
        input.write(
            beat
                + """
                now=1 mark=0 sizes='0 0' writes=0 moment=0
                echo() {
                  writes=$((writes + 1))
                  if [ "$writes" = "$moment" ]; then printf late >>stdout; sleep 0.05; fi
                  command echo "$@"
                }
                printf early >stdout; : >stderr
                beat
                sleep 0.05
                beat
                writes=0 moment=%d
                beat
                moment=0
                beat
                """
                    .formatted(moment));
      }
      assertThat(looks.inputReader().readAllAsString()).isEmpty();
      assertThat(looks.waitFor()).isZero();
      assertThat(Files.readAllLines(job.resolve("index")))
          .as("written at moment %s", moment)
          .hasSize(2)
          .last()
          .asString()
          .endsWith(" 9 0");
    }
  }

  @Test
  void readingAtAnyOffsetYieldsTheSameBytes() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      jobs.run(JobFixture.spec("offsets", "printf 0123456789"));
      OutputChunk chunk = jobs.runtime.read("offsets", OutputStreamName.STDOUT, 4, 3);
      assertThat(chunk.bytes()).asString().isEqualTo("456");
      assertThat(chunk.nextOffset()).isEqualTo(7);
      assertThat(chunk.ended()).isFalse();
      OutputChunk rest = jobs.runtime.read("offsets", OutputStreamName.STDOUT, 7, 100);
      assertThat(rest.bytes()).asString().isEqualTo("789");
      assertThat(rest.ended()).isTrue();
      assertThat(jobs.runtime.read("offsets", OutputStreamName.STDOUT, 99, 5).nextOffset())
          .isEqualTo(99);
    }
  }
}
