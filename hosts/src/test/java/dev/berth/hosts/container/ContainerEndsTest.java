package dev.berth.hosts.container;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.UnixEngine;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobMasks;
import dev.berth.hosts.jobdir.JobOutput;
import dev.berth.hosts.jobdir.Observation;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.hosts.jobdir.OutputChunk;
import dev.berth.hosts.jobdir.OutputSizes;
import dev.berth.hosts.jobdir.OutputStreamName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How those who follow the output of a job in a container learn of its end. */
class ContainerEndsTest {
  private static final State LOST = new Lost("it is gone", new OutputSizes(0, 0));

  @TempDir Path folder = Path.of("");

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private final AtomicInteger asked = new AtomicInteger();

  private ContainerEnds ends(Supplier<State> state) {
    return new ContainerEnds(
        _ -> {
          asked.incrementAndGet();
          return state.get();
        },
        () -> now);
  }

  private OutputChunk read(ContainerEnds ends, long offset) {
    JobDirectory directory = new JobDirectory(ThisMachine.ACCESS.files(), path(folder));
    return new JobOutput(JobMasks.ofProcesses(ThisMachine.ACCESS.processes()))
        .read(
            "one",
            directory,
            () -> ends.isOver("one", directory),
            OutputStreamName.STDOUT,
            offset,
            4);
  }

  private void write(String text) {
    try {
      Files.writeString(
          folder.resolve(OutputStreamName.STDOUT.file()),
          text,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  private static String text(OutputChunk chunk) {
    return new String(chunk.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void engineIsAskedAtTheEndOnlyAndOnceASecond() {
    ContainerEnds ends = ends(() -> new Observation.Absent());
    write("12345678");
    assertThat(text(read(ends, 0))).isEqualTo("1234");
    assertThat(text(read(ends, 4))).isEqualTo("5678");
    assertThat(asked).hasValue(0);
    for (int i = 0; i < 20; i++) {
      assertThat(read(ends, 8).ended()).isFalse();
    }
    assertThat(asked).hasValue(1);
    now = now.plusSeconds(1);
    read(ends, 8);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatWasWrittenBeforeTheEndIsReadBeforeItIsTold() {
    ContainerEnds ends =
        ends(
            () -> {
              write("last");
              return LOST;
            });
    OutputChunk chunk = read(ends, 0);
    assertThat(text(chunk)).isEqualTo("last");
    assertThat(chunk.ended()).isFalse();
    assertThat(read(ends, 4).ended()).isTrue();
    assertThat(asked).hasValue(1);
  }

  @Test
  void engineThatIsDownKeepsNobodyFromReading() {
    Engine gone =
        new Engine(new UnixEngine(ThisMachine.ACCESS.streams(), path(folder.resolve("no.sock"))));
    ContainerEnds ends =
        ends(
            () -> {
              gone.version();
              return LOST;
            });
    write("out");
    assertThat(text(read(ends, 0))).isEqualTo("out");
    assertThat(read(ends, 3).ended()).isFalse();
    assertThat(asked).hasValue(1);
  }
}
