package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.HostException;
import dev.berth.hosts.HostFailures;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.InputFile;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observations;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JobTranslationTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final OutputSizes SIZES = new OutputSizes(1, 2);

  private static ShellJob translate(JobSpec spec, ResourceVector share) {
    return JobTranslation.spec(
        new JobRequest("attempt", spec, share),
        Map.of("CUDA_VISIBLE_DEVICES", ""),
        "/bin/bash",
        MachinePath.of("/home/me"),
        Archives.NONE);
  }

  @Test
  void whatIsNotWrittenGetsTheDefaults() {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    ShellJob host = translate(spec, new ResourceVector(1, 0, 0, 0, Set.of()));
    assertThat(host.shell()).isEqualTo("/bin/bash");
    assertThat(host.workingDirectory()).isNull();
    assertThat(host.stopDuration()).isEqualTo(Duration.ofMinutes(5));
    assertThat(host.maxDuration()).isNull();
    assertThat(host.cpus()).isNull();
    assertThat(host.memoryBytes()).isNull();
  }

  @Test
  void whatIsWrittenIsPassedOn() {
    JobSpec spec =
        new JobSpec(
            "zsh",
            List.of("a", "b"),
            "~/project",
            Map.of("CUDA_VISIBLE_DEVICES", "0,1", "MINE", "1"),
            List.of(new JobSpec.File("/from/a", "~/.config/a"), new JobSpec.File("/from/b", "b")),
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            JobSpec.Requirements.NONE);
    ShellJob host = translate(spec, new ResourceVector(1, 2, 512, 9, Set.of("x")));
    assertThat(host.shell()).isEqualTo("zsh");
    assertThat(host.commands()).containsExactly("a", "b");
    assertThat(host.workingDirectory()).isEqualTo(MachinePath.of("/home/me/project"));
    assertThat(host.env())
        .containsEntry("MINE", "1")
        .containsEntry("BERTH_GPUS_NUM", "1")
        .containsEntry("CUDA_VISIBLE_DEVICES", "");
    assertThat(host.inputs())
        .containsExactly(
            new InputFile(MachinePath.of("/home/me/.config/a"), MachinePath.of("/from/a")),
            new InputFile(MachinePath.of("b"), MachinePath.of("/from/b")));
    assertThat(host.stopDuration()).isEqualTo(Duration.ofSeconds(3));
    assertThat(host.maxDuration()).isEqualTo(Duration.ofHours(1));
    assertThat(host.cpus()).isEqualTo(2.0);
    assertThat(host.memoryBytes()).isEqualTo(512L << 20);
  }

  @Test
  void statesAreTranslatedOneToOne() {
    assertThat(Observations.of(new Observation.Prepared()))
        .isEqualTo(new JobObservation.Prepared());
    assertThat(Observations.of(new Observation.Running(1, NOON, SIZES)))
        .isEqualTo(new JobObservation.Running(NOON));
    assertThat(Observations.of(new Observation.Lost("why", SIZES)))
        .isEqualTo(new JobObservation.Lost("why"));
    assertThat(Observations.of(new Observation.Absent())).isEqualTo(new JobObservation.Absent());
    assertThat(
            Observations.of(
                new Observation.Exited(
                    OptionalInt.empty(),
                    ExitReason.START_FAILED,
                    "no shell",
                    Optional.empty(),
                    NOON,
                    SIZES)))
        .isEqualTo(
            new JobObservation.Exited(
                null, JobObservation.Cause.START_FAILED, "no shell", null, NOON));
  }

  @ParameterizedTest
  @EnumSource
  void reasonsKeepTheirNames(ExitReason reason) {
    Observation.Exited exited =
        new Observation.Exited(OptionalInt.of(3), reason, "", Optional.of(NOON), NOON, SIZES);
    assertThat(Observations.of(exited))
        .isEqualTo(
            new JobObservation.Exited(
                3, JobObservation.Cause.valueOf(reason.name()), "", NOON, NOON));
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID, permanent",
    "MISSING_TOOL, permanent",
    "INPUT, permanent",
    "ABSENT, gone",
    "MACHINE, transient",
    "DENIED, transient",
    "NOT_KILLED, transient",
  })
  void failuresKeepTheirSentence(HostException.Code code, String word) {
    BackendException failure = HostFailures.translate(new HostException(code, "a sentence"));
    assertThat(failure.code()).isEqualTo(word);
    assertThat(failure).hasMessage("a sentence").hasCauseInstanceOf(HostException.class);
  }
}
