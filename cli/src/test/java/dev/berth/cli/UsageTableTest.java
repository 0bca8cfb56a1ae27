package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.JobUsageView;
import dev.berth.model.api.RunUsageView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a person sees what a run uses. */
final class UsageTableTest {
  private static String printed(String status, JobUsageView... jobs) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    UsageTable.print(new RunUsageView("train", status, List.of(jobs)), out);
    return text.toString();
  }

  private static JobUsageView job(
      int node,
      double seconds,
      @Nullable Double processors,
      @Nullable Long limit,
      Integer... gpus) {
    return new JobUsageView(
        "a-" + node,
        node,
        "local",
        Instant.EPOCH,
        seconds,
        processors,
        850L << 20,
        limit,
        List.of(gpus),
        null);
  }

  @Test
  void figuresStandInColumns() {
    assertThat(printed("running", job(0, 3725, 0.984, 2L << 30), job(1, 12.34, null, null)))
        .isEqualTo(
            """
             JOB  BACKEND  CPU   CPU TIME   MEMORY  LIMIT
             0    local    0.98  1 h 2 min  850MB   2GB
             1    local    -     12.3 s     850MB   -
            """);
  }

  @Test
  void gpusHaveAColumnWhereTheyAreKnown() {
    assertThat(printed("running", job(0, 75, 1.0, null, 97, 5)))
        .contains(" GPU")
        .contains("1 min 15 s")
        .contains("97% 5%");
  }

  @Test
  void whyThereAreNoFiguresIsSaid() {
    JobUsageView silent =
        new JobUsageView(
            "a", 0, "mute", null, null, null, null, null, List.of(), "nobody measures it");
    assertThat(printed("running", silent)).contains("mute").contains("nobody measures it");
  }

  @Test
  void aRunWithoutRunningJobsIsASentence() {
    assertThat(printed("done")).isEqualTo("No job of train is running; the run is done.\n");
  }

  @Test
  void sizesHaveTheirUnit() {
    assertThat(UsageTable.size(null)).isEqualTo("-");
    assertThat(UsageTable.size(512L)).isEqualTo("512B");
    assertThat(UsageTable.size(1536L)).isEqualTo("1.5KB");
  }
}
