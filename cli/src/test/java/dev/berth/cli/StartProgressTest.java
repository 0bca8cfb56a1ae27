package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.JobProgressView;
import dev.berth.model.api.RunProgressView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a person sees that a run starts. */
final class StartProgressTest {
  private final StringWriter text = new StringWriter();
  private Instant now = Instant.parse("2026-11-17T12:00:00Z");

  private StartProgress progress(boolean terminal) {
    return new StartProgress(new PrintWriter(text, true), terminal, () -> now);
  }

  private static RunProgressView told(@Nullable String... words) {
    List<JobProgressView> jobs =
        IntStream.range(0, words.length)
            .mapToObj(
                node -> new JobProgressView("a", node, "docker", words[node], List.of(), null))
            .toList();
    return new RunProgressView("train", "running", jobs, List.of());
  }

  private static RunProgressView warned(String... sentences) {
    return new RunProgressView("train", "running", List.of(), List.of(sentences));
  }

  @Test
  void withoutATerminalANumberThatGrowsIsNoNewLine() {
    StartProgress progress = progress(false);
    assertThat(progress.show(told("pulling box:1"))).isTrue();
    assertThat(progress.show(told("pulling box:1: 1% of 80.0 MB"))).isTrue();
    assertThat(progress.show(told("pulling box:1: 2% of 120.5 MB"))).isFalse();
    assertThat(progress.show(told("preparing the container"))).isTrue();
    assertThat(text.toString().lines())
        .containsExactly(
            "berth: starting: pulling box:1",
            "berth: starting: pulling box:1: 1% of 80.0 MB",
            "berth: starting: preparing the container");
  }

  @Test
  void aLongPullIsToldNowAndThen() {
    StartProgress progress = progress(false);
    progress.show(told("pulling box:1: 1% of 80.0 MB"));
    now = now.plus(StartProgress.LINE_EVERY);
    progress.show(told("pulling box:1: 1% of 80.0 MB"));
    assertThat(text.toString().lines()).as("nothing changed").hasSize(1);
    progress.show(told("pulling box:1: 40% of 80.0 MB"));
    progress.show(told("pulling box:1: 41% of 80.0 MB"));
    assertThat(text.toString().lines())
        .hasSize(2)
        .last()
        .isEqualTo("berth: starting: pulling box:1: 40% of 80.0 MB");
  }

  @Test
  void onATerminalTheLineIsWrittenOverAndLeftForOthers() {
    StartProgress progress = progress(true);
    progress.show(told("pulling box:1"));
    progress.show(told("booting"));
    progress.leaveLine();
    progress.leaveLine();
    assertThat(text)
        .hasToString(
            "\rberth: starting: pulling box:1\rberth: starting: booting      "
                + System.lineSeparator());
  }

  @Test
  void aWarningIsToldOnceOnALineOfItsOwn() {
    StartProgress progress = progress(true);
    progress.show(told("pulling box:1"));
    progress.show(warned("the ulimit was left out"));
    progress.warn(List.of("the ulimit was left out", "using the image that was pulled before"));
    assertThat(text.toString().lines())
        .containsExactly(
            "", // the carriage return ends a line for a reader of lines
            "berth: starting: pulling box:1",
            "berth: warning: the ulimit was left out",
            "berth: warning: using the image that was pulled before");
  }

  @Test
  void ofManyJobsTheFirstIsToldOfWhichSomethingIsKnown() {
    StartProgress progress = progress(false);
    assertThat(progress.show(told((String) null))).isFalse();
    progress.show(told(null, "pulling box:1", "pulling box:1"));
    assertThat(text)
        .hasToString(
            "berth: starting: node 1 of 3 that start: pulling box:1" + System.lineSeparator());
  }
}
