package dev.berth.cli;

import dev.berth.model.api.JobUsageView;
import dev.berth.model.api.RunUsageView;
import dev.berth.model.offers.SizeFormat;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows to a person what jobs use. */
final class UsageTable {
  private static final Set<String> ENDED = Set.of("done", "failed", "terminated");
  private static final String UNKNOWN = "-";

  private UsageTable() {}

  static boolean hasEnded(RunUsageView usage) {
    return ENDED.contains(usage.status());
  }

  static void print(RunUsageView usage, PrintWriter out) {
    if (usage.jobs().isEmpty()) {
      out.println("No job of " + usage.run() + " is running; the run is " + usage.status() + ".");
      return;
    }
    table(usage).print(out);
  }

  static Table table(RunUsageView usage) {
    boolean gpus = usage.jobs().stream().anyMatch(job -> !job.gpuUtilization().isEmpty());
    List<String> heads =
        new ArrayList<>(List.of("JOB", "BACKEND", "CPU", "CPU TIME", "MEMORY", "LIMIT"));
    if (gpus) {
      heads.add("GPU");
    }
    heads.add("");
    Table table = new Table(heads.toArray(String[]::new)).wrap("GPU").drop("LIMIT").cut("BACKEND");
    for (JobUsageView job : usage.jobs()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  String.valueOf(job.node()),
                  job.backend() == null ? "" : job.backend(),
                  processors(job.processors()),
                  time(job.processorSeconds()),
                  size(job.memoryBytes()),
                  size(job.memoryLimitBytes())));
      if (gpus) {
        cells.add(
            job.gpuUtilization().stream()
                .map(percent -> percent + "%")
                .collect(Collectors.joining(" ")));
      }
      cells.add(job.message() == null ? "" : job.message());
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private static String processors(@Nullable Double busy) {
    return busy == null ? UNKNOWN : String.format(Locale.ROOT, "%.2f", busy);
  }

  private static String time(@Nullable Double seconds) {
    if (seconds == null) {
      return UNKNOWN;
    }
    Duration time = Duration.ofMillis(Math.round(seconds * 1000));
    return time.toHours() > 0
        ? time.toHours() + " h " + time.toMinutesPart() + " min"
        : time.toMinutes() > 0
            ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
            : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  static String size(@Nullable Long bytes) {
    return bytes == null ? UNKNOWN : SizeFormat.ofBytes(bytes);
  }
}
