package dev.berth.cli;

import dev.berth.model.api.RunView;
import dev.berth.model.offers.PriceFormat;
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

  static Table of(List<RunView> runs) {
    return new RunTable(runs).table();
  }

  private Table table() {
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
    Table table =
        new Table(heads.toArray(String[]::new))
            .wrap("REASON")
            .drop("TYPE", "SUBMITTED", "ATTEMPT", "NODES", "EXIT", "PRICE")
            .cut("BACKEND", "NAME");
    for (RunView run : runs) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  run.name(),
                  run.type(),
                  run.status(),
                  or(run.reason()).replace('_', ' '),
                  run.exitCode() == null ? "" : String.valueOf(run.exitCode()),
                  or(run.backend()),
                  run.price() == null ? "" : PriceFormat.perHour(run.price()),
                  Ago.of(run.submittedAt(), Instant.now())));
      addIf(priorities, cells, String.valueOf(run.priority()));
      addIf(nodes, cells, String.valueOf(run.nodes()));
      addIf(attempts, cells, run.attempt() == null ? "" : String.valueOf(run.attempt()));
      cells.add(waiting(run));
      table.row(cells.toArray(String[]::new));
    }
    return table;
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
    String again = NextAttempt.of(run, Instant.now()).orElse("");
    if (!again.isEmpty()) {
      parts.add(again);
      return String.join("; ", parts);
    }
    if (run.nextAt() != null) {
      parts.add("next at " + Ago.time(run.nextAt()));
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
