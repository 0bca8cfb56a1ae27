package dev.berth.cli;

import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows runs to a person. What is usual in all of them has no column. */
final class RunTable {
  private final List<RunView> runs;

  private RunTable(List<RunView> runs) {
    this.runs = runs;
  }

  static void print(List<RunView> runs, PrintWriter out) {
    new RunTable(runs).print(out);
  }

  private void print(PrintWriter out) {
    boolean priorities = runs.stream().anyMatch(run -> run.priority() != 0);
    boolean nodes = runs.stream().anyMatch(run -> run.nodes() > 1);
    boolean attempts = runs.stream().anyMatch(run -> attempt(run) > 1);
    List<String> heads =
        new ArrayList<>(
            List.of("NAME", "TYPE", "STATUS", "REASON", "EXIT", "BACKEND", "PRICE", "SUBMITTED"));
    addIf(priorities, heads, "PRIORITY");
    addIf(nodes, heads, "NODES");
    addIf(attempts, heads, "ATTEMPT");
    heads.add("");
    Table table = new Table(heads.toArray(String[]::new));
    for (RunView run : runs) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  run.name(),
                  run.type(),
                  run.status(),
                  or(run.reason()),
                  run.exitCode() == null ? "" : String.valueOf(run.exitCode()),
                  or(run.backend()),
                  run.price() == null ? "" : PlanTable.price(run.price()),
                  Ago.of(run.submittedAt(), Instant.now())));
      addIf(priorities, cells, String.valueOf(run.priority()));
      addIf(nodes, cells, String.valueOf(run.nodes()));
      addIf(attempts, cells, run.attempt() == null ? "" : String.valueOf(run.attempt()));
      cells.add(waiting(run));
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
  }

  private static void addIf(boolean wanted, List<String> cells, String cell) {
    if (wanted) {
      cells.add(cell);
    }
  }

  private static int attempt(RunView run) {
    return run.attempt() == null ? 0 : run.attempt();
  }

  /** What a run waits for, where it is known. */
  private static String waiting(RunView run) {
    List<String> parts = new ArrayList<>();
    if (!run.after().isEmpty()) {
      parts.add("after " + String.join(", ", run.after()));
    }
    if (run.nextAt() != null) {
      parts.add("next at " + run.nextAt());
    }
    boolean waits = run.status().equals("pending") || run.status().equals("submitted");
    if (waits && run.message() != null) {
      parts.add(run.message());
    }
    return String.join("; ", parts);
  }

  private static String or(@Nullable String text) {
    return text == null ? "" : text;
  }
}
